"""Cases in the manner of the paper's (its figures 1 and 5 to 7), in texts of our own.

A conditional finding beside a general one that denies it, or that it limits; an event that happened more than once; a
place among much that is near it; a statement that is out of date.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """Sources of one chunk each, a question, and what an answer must hold.

    Attributes:
        name: Of the case.
        question: As it is asked.
        sources: One text a source.
        wanted: Words that stand in a good answer, each of them.
        in_order: Words that stand in the offline answer in this order.
        conflict: Words of the two sentences that contradict each other; empty where no sources do.
    """

    name: str
    question: str
    sources: tuple[str, ...]
    wanted: tuple[str, ...]
    in_order: tuple[str, ...] = ()
    conflict: tuple[str, str] | tuple[()] = ()

    @property
    def contradicts(self) -> bool:
        """Whether two sources contradict each other."""
        return bool(self.conflict)


CONDITION = Case(
    "a finding that holds for some",
    "Does vitamin D prevent influenza?",
    (
        "A winter trial followed 340 schoolchildren for four months. Children who took vitamin D drops caught "
        "influenza 12 percent less often than those who took a placebo. This held only among children whose "
        "blood levels were low when the trial began.",
        "A review pooled 25 trials with 11,000 adults of all ages. Taking vitamin D made no significant difference to "
        "how often people caught influenza. The authors warn against giving supplements to everybody.",
        "Vitamin D is made in the skin under sunlight. In northern winters many people have low levels of it.",
    ),
    ("no significant difference", "12 percent less often", "only among children whose blood levels were low"),
    in_order=("no significant difference", "12 percent less often", "This held only among children"),
    conflict=("no significant difference", "12 percent less often"),
)

NARROWED = Case(
    "a finding that a later one limits",
    "Do vitamin D supplements lower the risk of influenza?",
    (
        "Vitamin D supplements reduce the risk of influenza, a review of 25 trials found. They had 11,000 adults.",
        "In a later trial vitamin D supplements reduced the risk of influenza only in people who were deficient; in "
        "others they had no effect. It ran for two winters.",
        "Vitamin D is made in the skin under sunlight.",
    ),
    ("a review of 25 trials found", "only in people who were deficient; in others they had no effect"),
    in_order=("a review of 25 trials found", "only in people who were deficient"),
)

TIMES = Case(
    "an event that happened more than once",
    "When did The Salt Road open in the capital?",
    (
        "The Salt Road is a musical about two sisters on a caravan. It was first staged on 2 May 1996 in the harbour "
        "town of Brenn, where it ran for six weeks.",
        "The Salt Road came to the capital in previews at the Garnet Theatre on 14 September 1996.",
        "The official opening of The Salt Road in the capital was on 19 October 1996, at the same theatre.",
        "On 3 March 2004 The Salt Road moved within the capital from the Garnet Theatre to the Old Mint, where it is "
        "still playing.",
        "The Garnet Theatre has 1,100 seats and was built of red brick.",
    ),
    ("14 September 1996", "19 October 1996", "3 March 2004"),
    in_order=("official opening", "previews"),
)

PLACE = Case(
    "a place among much that is near it",
    "Where did Norland win the Coastal Cup in 2011?",
    (
        "The Coastal Cup final of 2011 was played on 9 July between Norland and Estrela. After a draw of 1 to 1, "
        "Norland won 5 to 3 on penalties.",
        "The Coastal Cup final of 2011 was held at the Harbour Arena in Lindholm, before 69,000 spectators.",
        "It was the fourth title of Norland, which had won the Coastal Cup in 1964, 1968 and 1992 before.",
        "Estrela had won the Coastal Cup once, in 2003, at home in Porto Branco.",
    ),
    ("Harbour Arena in Lindholm",),
    in_order=("final of 2011 was played", "Harbour Arena in Lindholm"),
)

OUTDATED = Case(
    "a statement that is out of date",
    "Is Lake Arden a national park?",
    (
        "Lake Arden was declared in 1930 and was long listed as the ninth national park of the country in school books "
        "and on maps.",
        "In 2006 parliament passed a definition of the term, and Lake Arden was reclassified as a nature reserve; it "
        "is no longer a national park.",
        "By the definition of 2006 a national park must be larger than 300 square kilometres, be in public hands and "
        "have no road through it, and Lake Arden does not meet the last condition.",
    ),
    ("nature reserve", "no longer a national park", "no road through it", "was long listed"),
    in_order=("no longer a national park", "was long listed"),
)

CASES = (CONDITION, NARROWED, TIMES, PLACE, OUTDATED)
