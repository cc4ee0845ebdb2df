"""English words of questions of tables."""

from typing import Final

from treatise.generate.tabular.languages.language import Language

_TABLE: Final = "(?:list|table|sheet|file|data ?set|data|csv|spreadsheet|workbook)"

ENGLISH: Final = Language(
    value=r"what|which|how (?:many|much|long|tall|big|large|old|high)|who|when|where|give|tell|show",
    what="what|give|tell|show",
    value_is=r"what(?:['’]s| is| was) the",
    the_value=(
        r"(?:what|how (?:long|tall|high|big|large|heavy|deep|wide|many|much))(?:\s+(?:is|was|are|were)|['’]s)\s+the|"
        r"(?:give|tell|show)\s+(?:me\s+)?the"
    ),
    owned_value=(
        r"(?:what|who|when|where|which|give|tell|show|name|find)(?:['’]s| (?:is|are|was|were|me|us|out))*\s+the "
        r"(?:(?:names?|number|amount|level) of (?:the )?)?|how \w+ (?:is|are|was|were) the "
    ),
    which=r"which|what|whose|name(?: an?| the)?|list(?: all)?(?: the)?|(?:show|give)(?: me| us)? all(?: the)?",
    before_thing=r"(?:of the\s+|(?:is|are|was|were) the\s+)?(?:names? of (?:the |an? )?)?",
    after_thing="with|without|that|which|who|of|in|from|for|by|on|there|listed|costs?|weighs?|drinks?|got|gets?|received?",
    lists="which|what|who|list|name|show",
    located=r"what(?:['’]s| is| are)(?: there)? (?:on|in|at|from)",
    how_many="how many",
    how_much="how much",
    count_of="number of",
    how_measured=r"how (?:many|much|long|tall|high|large|big|old|heavy|deep|wide)|(?:number|total) of",
    who="who(?:se)?",
    when="when",
    where="where",
    verbs="is|are|was|were|has|have|had|did|do|does",
    did="do|does|did|has|have|had",
    sentence=(
        "is|are|was|were|am|be|been|do|does|did|has|have|had|can|could|(?-i:will)|would|shall|should|(?-i:may)|might|"
        "must|how|what|which|who|whom|whose|where|when|why|give|tell|show|list|name|find"
    ),
    opens_sentence="will|may",
    openers=(
        "who|what|which|when|where|why|how|whose|whom|is|are|was|were|do|does|did|has|have|had|can|could|will|would|"
        "may|might|shall|should|the|a|an|in|on|at|for|of|from|by|with|all|any|some|each|every|there|if|as|to|no|"
        "please|give|tell|show|name|list|find|number|total"
    ),
    articles="the",
    of="of|for|in|on|at|from|during",
    before_names="of|for|in|from|on|at|to|with|by|per|since|until|between|and|or",
    and_="and",
    each="each|every",
    all_="all",
    highest="most|highest|largest|greatest|biggest|longest|tallest|heaviest|deepest|widest|maximum",
    lowest="least|lowest|smallest|fewest|shortest|lightest|cheapest|minimum",
    top="top",
    bottom="bottom|least expensive",
    of_age="oldest|youngest|newest",
    sizes="largest|greatest|biggest|least|smallest",
    after_most="expensive|populous|valuable",
    not_extreme=(
        r"at (?:the )?(?:most|least)\b|most (?:recent|of|common|frequent|popular|often|likely)\w*|"
        r"least (?:recent|common|popular)|for the most part\b|almost\b"
    ),
    open_extreme="best|worst|safest|richest|poorest|fastest|slowest|strongest|weakest|hottest|coldest|busiest",
    numerals="one|two|three|four|five|six|seven|eight|nine|ten",
    ordinals="second|third|fourth|fifth",
    several="which|what|the|name|list",
    more="more expensive|more|greater|higher|larger|bigger|longer|taller|heavier|deeper|wider|older",
    fewer="less expensive|less|fewer|lower|smaller|shorter|lighter|cheaper|younger",
    than="than",
    comparative=r"more|less|\w+er",
    over="over|above|exceeding",
    under="under|below",
    at_least="at least|no (?:less|fewer) than",
    at_most="at most|no more than|up to",
    exactly="exactly",
    thousand="thousands?",
    million="millions?",
    billion="billions?",
    zero=(
        r"(?:no|zero|without(?: any)?|did(?: not|n['’]t) (?:have|suffer|record|report)(?: any)?)\b"
        r"(?! (?:more|less|fewer|longer|later|earlier))"
    ),
    rises="gr[eo]wn?|rise|rose|risen|increased?|gain(?:ed)?|changed?",
    falls="fall(?:en)?|fell|lose|lost|drop(?:ped)?|decreased?|declined?|shr[iau]nk",
    percent="per ?cent(?:age)?|%",
    changes="change|growth|increase|decrease",
    decreases="decrease",
    most_changed="most",
    least_changed="least",
    largest_change="biggest|largest|greatest|highest",
    smallest_change="smallest|lowest",
    difference="difference",
    total=(
        "in total|(?:grand )?total(?: number| amount| sum)?(?: of)?|sum(?: of| total)?(?: of)?|altogether|in all|"
        "combined|overall"
    ),
    average=r"(?:average|mean|on average)\b(?: (?:number|amount|value))?(?: of)?",
    median="median",
    bare_total="total|sum|average|mean|median",
    listed=(
        r"(?:are|were|is) (?:there|listed|named|included|covered|shown|given|recorded)|"
        rf"(?:are |is |were )?(?:listed |there |included |shown )?(?:in|on) (?:the|this|that) (?:\w+ )?{_TABLE}|"
        rf"does (?:the|this) {_TABLE} (?:list|have|contain|include|cover|name|show)"
    ),
    different="different|distinct|unique",
    negation=(
        r"not|never|neither|nor|except|excluding|excludes?|besides|apart from|other than|unless|if|per|each|every|same|"
        r"both|either|\w+n['’]t"
    ),
    compares=(
        r"better|than|or|not|same|(?-i:others?)|before|after|above|below|next|previous|between|beyond|besides|except|"
        r"without|both|all|last|first|combined|together|\w+n['’]t"
    ),
    beside="over|under|above|below|beyond",
    between="between",
    from_="from",
    to="to|thru|till|until|through",
    since="since",
    until="until|till",
    later="after",
    earlier="before",
    end="through|up to|onwards?",
    within="in|during|for|of|on|in the year",
    dated="dates?|dated|issued|placed|made|taken|ordered|published|released",
    in_ranges="sold",
    months=(
        "jan(?:uary)?|feb(?:ruary?)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
        "nov(?:ember)?|dec(?:ember)?"
    ),
    weekdays="mo(?:n(?:day)?)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?",
    after="next after|after|below|following|follows?|succeeded|next",
    before="before|above|prior to|preceded|previous to|previous",
    no_neighbour=(
        "how|first|earliest|oldest|last|latest|most recent|final|newest|at (?:most|least)|than|two|three|four|five"
    ),
    have="have|has|with|offers?|supports?|includes?",
    yes="yes|y|true",
    no="no|n|false",
    relating=(
        "work|works|working|employed|belong|belongs|assigned|located|based|live|lives|stand|stands|come|comes|listed|all"
    ),
    standing="live|lives|based|located|stand|stands|work|works",
    in_stock="left|available|stock|hand|store",
    vague=(
        "kind|type|sort|way|thing|things|result|results|place|position|rank|date|dates|time|times|day|month|name|names|"
        "title|current|official|full|main|exact|actual|original|whole|total|same|first|last|new|old|only|middle|"
        "consecutive|hour|hours|opening"
    ),
    same=(
        "death deaths died die dies dead deadly killed fatality fatalities|percent percentage pct % share proportion|"
        "length long longer longest shorter shortest|height tall taller tallest|"
        "weight heavy heavier heaviest weigh weighs lighter lightest|depth deep deeper deepest|width wide wider widest|"
        "price cost costs expensive cheapest cheaper cheap|population populous pop inhabitants residents|number no num|"
        "average avg mean|quantity qty|stock|maximum max|minimum min|country countries nation nations|"
        "sales sell sells sold|win wins won winning|loss losses lose lost loses|"
        "temperature temp|age older younger|value worth valuable|"
        "total|gross|net|film films movie movies|litre liter litres liters|metre meter metres meters|"
        "kilometre kilometer kilometres kilometers km"
    ),
    persons="people|persons?|employees|staff|members|colleagues|workers",
    of_totals=(
        r"(?:grand |overall |sub-?\s?)?(?:totals?|sum|averages?|mean|median)|.*\bsub-?\s?totals?|"
        "(?:amount|balance|total) due"
    ),
    numbering="no|num|number|id|code|ref|reference",
    of_titles="name|title|description",
    of_names="(?:sur)?names?|employee|player|driver|students?|pupils?",
    of_persons=(
        "(?:player|driver|winner|person|member|artist|author|rider|athlete|candidate|president|coach|champion|employee|"
        "volunteer|teacher|tenant|guest|donor|patient|speaker|trainer)s?"
    ),
    of_times="years?|dates?|seasons?",
    of_places=(
        "aisle|location|place|city|town|village|venue|room|shelf|bin|address|street|country|state|county|region|"
        "district|province|site|store|shop|branch|office|station|harbour|port|airport|building|floor|warehouse|bay|"
        "zone|neighbou?rhood|destination|hotel|restaurant"
    ),
    of_codes=(
        "(?:phones?|telephone|tel|mobile (?:phone|number)|fax|ext|extension|pin|zip|zip ?code|post ?code|"
        "(?:account|card|customer|employee|house|invoice|order|room|serial|staff) (?:number|no|nr))\\b|"
        "(?<!.)(?:birth |founding |hire |opening |start )?year$"
    ),
    of_any_date=(
        "(?:(?:order|invoice|issue|booking|sales?|purchase|transaction|posting|entry|event|document) )?"
        "(?:dates?|day|year|month|period|time|departure|arrival)|"
        "(?:taken|made|ordered|issued|sold|recorded|published)(?: on| at)?"
    ),
    of_averages=r"average|\bavg\b|\bmean\b|median|percent|\bpct\b|%|\brate\b|per[ _]|\bunit (?:price|cost)\b",
    of_quantities=r"qty|quantity|(?:in )?stock|on hand|units|pieces|count",
    of_signed="profit|result|earnings|net income|balance|(?:cash ?)?flow|margin|growth|change|temperature",
)
