"""Rules compiled into tables and masks.

Lives here: `RuleSet`. Not here: the rules people write (blackjack.rules), what a round does (machine).
"""
from libc.string cimport memset
from .hand cimport BJ_TOTAL, is_soft

MAX_RATIO = 100


cdef Ratio ratio(object pair) except *:
    cdef Ratio q
    q.num, q.den = pair
    if q.num < 0 or q.den < 1 or q.den > 1000 or q.num > MAX_RATIO * q.den or q.num > 100_000:
        raise ValueError(f"expected a ratio from 0 to {MAX_RATIO} with a denominator up to 1000, got {pair!r}")
    return q


cdef class RuleSet:
    """RuleSet(**fields)
    --

    Rules compiled into tables and masks. The fields are plain ints and pairs of ints, one for every
    name of `RuleTable`; blackjack.Rules.compile() is what people call. Immutable.
    """
    def __cinit__(self, **fields):
        cdef int a, p, total
        cdef RuleTable* t = &self.t
        memset(t, 0, sizeof(RuleTable))
        self.fields = fields
        t.boxes = fields["boxes"]
        t.max_hands = fields["max_hands"]
        if not 1 <= t.boxes <= MAX_BOXES or not 1 <= t.max_hands <= MAX_HANDS:
            raise ValueError(f"expected 1 to {MAX_BOXES} boxes and 1 to {MAX_HANDS} hands")
        for name in FLAG_FIELDS:
            if name not in fields:
                raise TypeError(f"expected the field {name!r}")
        t.max_ace_hands = fields["max_ace_hands"]
        t.hole_card = fields["hole_card"]
        t.upcard_second = fields["upcard_second"]
        t.takes = fields["takes"]
        t.ties_21 = fields["ties_21"]
        t.surrender = fields["surrender"]
        t.charlie_cards = fields["charlie_cards"]
        t.suited = fields["suited"]
        t.das = fields["das"]
        t.double_split_aces = fields["double_split_aces"]
        t.hit_split_aces = fields["hit_split_aces"]
        t.split_by_rank = fields["split_by_rank"]
        t.hit_on_21 = fields["hit_on_21"]
        t.push_22 = fields["push_22"]
        t.split_ace_ten = fields["split_ace_ten"]
        t.double_any_number = fields["double_any_number"]
        t.redouble = fields["redouble"]
        t.double_for_less = fields["double_for_less"]
        t.partial_insurance = fields["partial_insurance"]
        t.pay_at_once = fields["pay_at_once"]
        t.round_up = fields["round_up"]
        t.peek_mask = fields["peek_mask"]
        t.surrender_mask = fields["surrender_mask"]
        t.insurance_mask = fields["insurance_mask"]
        t.even_money_mask = fields["even_money_mask"]
        t.insurance_blocks = fields["insurance_blocks"]
        t.dealer_wins_ties = fields["dealer_wins_ties"]
        t.blackjack_pays = ratio(fields["blackjack_pays"])
        t.suited_pays = ratio(fields["suited_pays"])
        t.insurance_pays = ratio(fields["insurance_pays"])
        t.charlie_pays = ratio(fields["charlie_pays"])
        t.surrender_returns = ratio(fields["surrender_returns"])
        double_on, double_soft, h17 = fields["double_on"], fields["double_soft"], fields["hit_soft_17"]
        for a in range(2):
            for p in range(32):
                total = BJ_TOTAL[a][p]
                t.dealer_draws[a][p] = total < 17 or (total == 17 and h17 and is_soft(p, a))
                # [soft][points]: the totals that may double count every ace as 1
                if not (double_on >> p) & 1:
                    t.double_bar[a][p] = DOUBLE_TOTAL
                elif a and not double_soft:
                    t.double_bar[a][p] = DOUBLE_SOFT

    def __reduce__(self):
        return _rules, (self.fields,)

    def __eq__(self, other):
        return isinstance(other, RuleSet) and self.fields == (<RuleSet>other).fields

    def __hash__(self):
        return hash(tuple(sorted(self.fields.items())))


FLAG_FIELDS = (
    "boxes", "max_hands", "max_ace_hands", "hole_card", "upcard_second", "takes", "ties_21", "surrender",
    "charlie_cards", "suited", "das", "double_split_aces", "hit_split_aces", "split_by_rank", "hit_on_21",
    "push_22", "split_ace_ten", "double_any_number", "redouble", "double_for_less", "partial_insurance",
    "pay_at_once", "round_up", "peek_mask", "surrender_mask", "insurance_mask", "even_money_mask",
    "insurance_blocks", "dealer_wins_ties", "blackjack_pays", "suited_pays", "insurance_pays",
    "charlie_pays", "surrender_returns", "double_on", "double_soft", "hit_soft_17",
)


def _rules(fields):
    return RuleSet(**fields)
