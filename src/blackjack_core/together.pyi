from typing_extensions import disjoint_base

@disjoint_base
class Terms: ...

@disjoint_base
class Meeting: ...
