"""The words of a language that are looked for in questions of tables and in their heads."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Words of a language. Each field is empty, or has alternatives of a pattern between ``|``.

    Attributes:
        value: How a question for a value begins.
        what: Those of them that may ask for a row too.
        value_is: "What is the".
        the_value: The same, and "how long is the".
        owned_value: The same before a value of something: "what is the name of the".
        which: What comes before the thing that is asked for.
        before_thing: What may come between these two.
        after_thing: What ends the thing, besides verbs.
        lists, located: How a question for rows begins, and one for what is at a place.
        how_many, how_much: How a number is asked for.
        count_of: Nouns for a number of things.
        how_measured: How a number with its measure is asked for.
        who, when, where: Questions for persons, times and places.
        verbs: Forms of "be", "have" and "do".
        did: Those that come before a subject.
        sentence: Words of sentences, and how questions begin.
        opens_sentence: Words that make a sentence only at its beginning.
        openers: Words that begin a question, with a capital letter in any meaning.
        articles: Definite articles.
        of: Prepositions before the owner of a value.
        before_names: Prepositions and conjunctions before the name of a row.
        and_, each, all_: These.
        highest, lowest: Superlatives.
        top, bottom: Other words for the ends of a ranking.
        of_age: Superlatives of an age or of a date.
        sizes: Superlatives that may mean a size without its sign.
        after_most: Adjectives that "most" makes an extreme.
        not_extreme: Superlatives in phrases that ask for no extreme.
        open_extreme: Superlatives that name no measure.
        numerals, ordinals: From one on, and from second on.
        several: What comes before a numeral that counts the things asked for.
        more, fewer, than: Comparatives of numbers, and what follows.
        comparative: Any comparative.
        over, under, at_least, at_most, exactly: Bounds of a number.
        thousand, million, billion: Scales of a number.
        zero: None of something.
        rises, falls: Verbs of changes.
        percent: Words for a share of a hundred.
        changes, decreases: Nouns of changes, which head columns too, and those of them that fall.
        most_changed, least_changed: Adverbs after a verb of change.
        largest_change, smallest_change: Superlatives before a noun of change.
        difference: Nouns of differences.
        total, average, median: Words for these.
        bare_total: Those that ask for one in a phrase without a verb: "overall length" is a name.
        listed: What asks how many rows there are.
        different: What asks for values that are counted once.
        negation: Words that leave something out, or ask for each of several.
        compares: Other words by which a question asks for more than a cell.
        beside: Words that make a value after the head of its column a limit: "under floor 3".
        between, from_, to: Words of ranges with two ends.
        since, until, later, earlier: Words of ranges with one end; the last two leave it out.
        end: Other words of such ranges.
        within: Words before a period.
        dated: Words beside a date.
        in_ranges: Words that narrow nothing in a question for a range.
        months, weekdays: Names and their abbreviations.
        after, before, no_neighbour: What asks for the row next to another one, and what does not.
        have: Verbs of what a row has.
        yes, no: Cells.
        relating: Verbs between a thing and its value.
        standing: Those that narrow nothing after "where".
        in_stock: Words beside what is counted.
        vague: Words that a column may mean without having them, or that name none.
        compounded: Nouns of numbers at the end of compounds.
        endings: Of words whose stem a table may have with another one; only if the language has many.
        light: Words of other languages than English that narrow nothing, and that no English question has.
        often_light: Those that an English question may have.
        value_verbs: Verbs by which a question with ``often_light`` words is known to be of the language.
        same: Groups of words that mean the same; the first of each is English.
        persons: Nouns for persons.
        of_totals: Names of rows of totals.
        numbering: Words for numbers and codes, after what they number.
        of_titles: Heads of columns of names of things.
        of_any_date: Heads of dates of which a period may be meant that names no column: not of birth, start or end.
        of_names, of_persons, of_times, of_places, of_codes, of_averages, of_quantities, of_signed: Heads of columns.
    """

    value: str = ""
    what: str = ""
    value_is: str = ""
    the_value: str = ""
    owned_value: str = ""
    which: str = ""
    before_thing: str = ""
    after_thing: str = ""
    lists: str = ""
    located: str = ""
    how_many: str = ""
    how_much: str = ""
    count_of: str = ""
    how_measured: str = ""
    who: str = ""
    when: str = ""
    where: str = ""
    verbs: str = ""
    did: str = ""
    sentence: str = ""
    opens_sentence: str = ""
    openers: str = ""
    articles: str = ""
    of: str = ""
    before_names: str = ""
    and_: str = ""
    each: str = ""
    all_: str = ""
    highest: str = ""
    lowest: str = ""
    top: str = ""
    bottom: str = ""
    of_age: str = ""
    sizes: str = ""
    after_most: str = ""
    not_extreme: str = ""
    open_extreme: str = ""
    numerals: str = ""
    ordinals: str = ""
    several: str = ""
    more: str = ""
    fewer: str = ""
    than: str = ""
    comparative: str = ""
    over: str = ""
    under: str = ""
    at_least: str = ""
    at_most: str = ""
    exactly: str = ""
    thousand: str = ""
    million: str = ""
    billion: str = ""
    zero: str = ""
    rises: str = ""
    falls: str = ""
    percent: str = ""
    changes: str = ""
    decreases: str = ""
    most_changed: str = ""
    least_changed: str = ""
    largest_change: str = ""
    smallest_change: str = ""
    difference: str = ""
    total: str = ""
    average: str = ""
    median: str = ""
    bare_total: str = ""
    listed: str = ""
    different: str = ""
    negation: str = ""
    compares: str = ""
    beside: str = ""
    between: str = ""
    from_: str = ""
    to: str = ""
    since: str = ""
    until: str = ""
    later: str = ""
    earlier: str = ""
    end: str = ""
    within: str = ""
    dated: str = ""
    in_ranges: str = ""
    months: str = ""
    weekdays: str = ""
    after: str = ""
    before: str = ""
    no_neighbour: str = ""
    have: str = ""
    yes: str = ""
    no: str = ""
    relating: str = ""
    standing: str = ""
    in_stock: str = ""
    vague: str = ""
    compounded: str = ""
    endings: str = ""
    light: str = ""
    often_light: str = ""
    value_verbs: str = ""
    same: str = ""
    persons: str = ""
    of_totals: str = ""
    numbering: str = ""
    of_titles: str = ""
    of_names: str = ""
    of_persons: str = ""
    of_times: str = ""
    of_places: str = ""
    of_codes: str = ""
    of_any_date: str = ""
    of_averages: str = ""
    of_quantities: str = ""
    of_signed: str = ""
