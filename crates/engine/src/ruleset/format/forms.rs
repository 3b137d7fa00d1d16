//! The forms of all sections.

use super::KeyValue::{
    Either, Flag, Form as Table, List, Named, OneOf, Rule, Single, Text, Whole, WholeOrRule,
};
use super::{Form, Key, KeyValue};

const fn key(name: &'static str, value: KeyValue, about: &'static str) -> Key {
    Key { name, value, about }
}

const TITLE: Key = key("title", Text, "a heading for people");
const CITE: Key = key("cite", Text, "where it stands in the rule book: `p. 8`");
const NOTE: Key = key("note", Text, "a remark for the reader");
const MARKER: Key = key("marker", Text, "what lies on the real table for it");
const SIGN: Key = key(
    "sign",
    TEXTS,
    "what the map shows on an area: a letter, or one for each word, empty for none",
);
const COLOUR: Key = key(
    "colour",
    TEXTS,
    "the colour of its marker, line or ground in pictures, or one for each word: `red`",
);
const GLYPH: Key = key(
    "glyph",
    Named(&Text),
    "the picture of a piece for each word or row: `{ tank = \"vehicle\" }`",
);
const LINE: Key = key(
    "line",
    Either(&[Flag, Text]),
    "drawn as a line over the plan: `true` for a list of areas; for one area, the attribute where it begins",
);
const BOOKKEEPING: Key = key(
    "bookkeeping",
    Flag,
    "`true`: the rules keep it for themselves, and it explains nothing to people",
);
const SIDE: Key = key(
    "side_attribute",
    Text,
    "the attribute that says whose it is, itself or by a piece it points to; else `side`",
);
const SECRET: Key = key("secret", Flag, "`true`: only its own side sees it, until it is revealed");
const SEEN_BY: Key =
    key("seen_by", Rule, "the sides that see it until it is revealed: `viewer = self.side`");
const SAYS: Key =
    key("says", Text, "its phrase in the book in words: `on fire`, `can burn`, `draught`");
const NAMES: Key = key("names", List(&Text), "a name for each number from `from` up");

macro_rules! forms {
    ($($name:ident = $called:literal $about:literal [$($key:expr),* $(,)?] needs $needed:tt others $others:expr;)*) => { $(
        #[doc = $about]
        pub(in crate::ruleset) static $name: Form = Form {
            name: $called, about: $about, keys: &[$($key),*], needed: &$needed, others: $others,
        };
    )* };
}

forms! {
    GAME = "game" "Whose game it is." [
        key("title", Text, "what the game is called"),
        key("author", Text, "who wrote the rules"),
        key("edition", Text, "which edition"),
        key("about", Text, "the game in one sentence, for whoever chooses one"),
        key("source", Text, "where they were published"),
        key("note", Text, "a remark for the umpire"),
        key("halved_d3", Flag, "`true`: a d3 is a d6 halved, so players type faces from 1 to 6"),
    ] needs ["title"] others None;

    OPTION_FLAG = "option-flag" "A house-rule switch: asked as `option.NAME`, changed with `option NAME off`." [
        TITLE, CITE, NOTE,
        key("default", Flag, "whether it is on at the beginning"),
    ] needs ["default"] others None;

    OPTION_NUMBER = "option-number" "A house rule that is a whole number." [
        TITLE, CITE, NOTE,
        key("default", Whole, "the number at the beginning"),
        key("from", Whole, "the lowest number"),
        key("to", Whole, "the highest number"),
    ] needs ["default"] others None;

    OPTION_WORD = "option-word" "A house rule that is one of some words." [
        TITLE, CITE, NOTE,
        key("default", Text, "the word at the beginning"),
        key("one_of", TEXTS, "the words it can be, or the name of a set"),
    ] needs ["default", "one_of"] others None;

    WORDS = "words" "A set of words with a name, in order." [
        TITLE, CITE, NOTE,
        key("values", List(&Text), "the words"),
        key("marks", List(&Text), "short signs, one for each word: `♣`"),
        key("says", List(&Text), "phrases for the book in words, one for each word: `lying down`"),
        key("round", Flag, "`true`: after the last comes the first again"),
    ] needs ["values"] others None;

    ATTRIBUTE_NUMBER = "attribute-number" "A number in a range." [
        key("from", Whole, "the lowest value"),
        key("to", Whole, "the highest value"),
        key("fractions", Flag, "with halves, quarters, thirds …"),
        key("many", Flag, "a list of such numbers"),
        key("start", Single, "the value at the beginning; else the lowest"),
        NAMES, MARKER, SIGN, COLOUR, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, NOTE, CITE,
    ] needs [] others None;

    ATTRIBUTE_FLAG = "attribute-flag" "True or false." [
        key("flag", Flag, "`true`"),
        key("start", Flag, "the value at the beginning; else `false`"),
        NAMES, MARKER, SIGN, COLOUR, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, NOTE, CITE,
    ] needs ["flag"] others None;

    ATTRIBUTE_DICE = "attribute-dice" "Dice that stand for a number: `2d6+1`, `d3`, `4`." [
        key("dice", Flag, "`true`"),
        key("start", Either(&[Text, Whole]), "the dice at the beginning; else `0`"),
        NAMES, MARKER, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, NOTE, CITE,
    ] needs ["dice"] others None;

    ATTRIBUTE_TEXT = "attribute-text" "A text." [
        key("text", Flag, "`true`"),
        key("start", Text, "texts begin empty: for numbers, flags and words alone"),
        NAMES, MARKER, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, NOTE, CITE,
    ] needs ["text"] others None;

    ATTRIBUTE_WORD = "attribute-word" "A word of a set." [
        key("one_of", TEXTS, "the words it can be, or the name of a set"),
        key("many", Flag, "a list of such words"),
        key("start", Text, "the word at the beginning; else the first"),
        key("unmarked", Text, "the word that stands for no marker; `none` always does"),
        NAMES, MARKER, SIGN, COLOUR, GLYPH, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, NOTE, CITE,
    ] needs ["one_of"] others None;

    ATTRIBUTE_REFERENCE = "attribute-reference" "Another piece, or a row of a list." [
        key("of", Text, "the kind or list it points to"),
        key("many", Flag, "a list of such pieces"),
        key("start", Text, "the row of a list it begins with; references to pieces begin as `none`"),
        NAMES, MARKER, COLOUR, GLYPH, LINE, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, NOTE, CITE,
    ] needs ["of"] others None;

    ATTRIBUTE_DERIVED = "attribute-derived" "Computed from others whenever it is asked." [
        key("is", Rule, "an expression over `self`"),
        NAMES, MARKER, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, NOTE, CITE,
    ] needs ["is"] others None;

    KIND = "kind" "What stands on the table: every table in it is an attribute." [
        TITLE, NOTE, CITE,
        key("plural", Text, "the name of all of them; else the kind's name and an s"),
        key("plan", Either(&[Flag, Text]), "its pieces are the areas of the drawn plan: `true` for squares, `hex` or `hex-flat`"),
        key("prefix", Text, "what names given by the machine begin with"),
        key("marker", Text, "what is put on the table for a piece"),
        key("place_attribute", Text, "the reference that says where a piece is; else `at` or `place`"),
        SIDE,
        key("title_attribute", Text, "the attribute by which players know a piece: a text, a word, or a row of a list"),
        key("glyph", Text, "its picture on plans and cards: `person`, `vehicle`, `ship` …"),
        key("web", Table(&WEB), "where a piece is on a web of rings and sectors"),
        key("shown", List(&Text), "the attributes that a roster shows, the most important first"),
        key("on_add", Rule, "statements run when a piece is set out"),
        key("on_set", Rule, "statements run when the umpire has set an attribute of a piece"),
        SECRET, SEEN_BY,
    ] needs [] others Some(ATTRIBUTE);

    WEB = "web" "Attributes that say where a piece is on a web of rings and sectors." [
        key("ring", Text, "the attribute for the ring; else outside all rings"),
        key("rings", List(&Text), "the words that are rings, from the middle outwards"),
        key("undivided", Flag, "`true`: the ring in the middle has no sectors"),
        key("sector", Text, "the attribute for the sector, whose words go clockwise from the top"),
        key("heading", Text, "the attribute for the heading, of the same words"),
    ] needs ["sector"] others None;

    LIST = "list" "A printed list that pieces point to: every table in it is an attribute." [
        TITLE, NOTE, CITE,
        key("plural", Text, "the name of all rows; else the list's name and an s"),
        key("title_attribute", Text, "the text by which a row is shown; else `title`"),
        SIDE,
        key("columns", List(&Text), "what the values of each row are, in order"),
        key("rows", Named(&Either(&[List(&CELL), Named(&CELL)])), "the rows by name"),
        key("every", Named(&Text), "a row of each combination of sets of words"),
    ] needs [] others Some(ATTRIBUTE);

    DECK = "deck" "A deck of cards or a cup of chits." [
        TITLE, CITE, NOTE,
        key("of", Text, "the list or kind it is of"),
        key("fill", Rule, "statements run at every `shuffle`; one of each, if not given"),
    ] needs ["of"] others None;

    CHART = "chart" "A table to look up, in one or two axes." [
        TITLE, CITE, NOTE,
        key("by", Text, "the axes: `distance: whole`, or two with a comma"),
        key("columns", List(&Single), "with two axes: what stands along the top"),
        key("gives", Text, "the type of the values, if they are not numbers"),
        key("rows", Named(&Either(&[Single, List(&Single)])), "the rows, by what stands down the side"),
    ] needs ["by", "rows"] others None;

    DEFINE = "define" "A named expression with parameters." [
        TITLE, CITE, NOTE,
        key("takes", Text, "its parameters: `from: area, into: area`"),
        key("says", Text, "its phrase in the book in words: `{a} can see {b}`"),
        key("is", Rule, "the expression"),
    ] needs ["is"] others None;

    REQUIREMENT = "requirement" "What must hold; otherwise it is refused." [
        key("that", Rule, "the condition"),
        key("because", Text, "the reason for the refusal"),
    ] needs ["that", "because"] others None;

    MODIFIER = "modifier" "What is added to the dice." [
        key("by", WholeOrRule, "how much"),
        key("when", Rule, "the condition under which it applies; else always"),
        key("because", Text, "its reason, which is shown"),
    ] needs ["by", "because"] others None;

    ROW = "row" "An outcome of a table." [
        key("on", Either(&[Text, Whole]), "the totals: `5`, `2-3`, `12 or more`"),
        key("when", Rule, "a condition in place of totals: `natural = 6`; the first row that holds is taken"),
        key("say", Text, "words in the line"),
        key("do", Rule, "what follows"),
    ] needs [] others None;

    RULE = "rule" "A rule; with `usage` it is a verb of the umpire's." [
        TITLE, CITE, NOTE,
        key("reads", Text, "what it does, in sentences: the book prints them in place of its statements"),
        key("usage", Text, "how it is typed: `fight <target:area> with <hose:hose>`"),
        key("also", List(&Text), "other words for its verb: `spray`, `hose down`"),
        key("takes", Text, "parameters when other rules call it: `target: area`"),
        key("default", Named(&WholeOrRule), "expressions for what is left out of the usage"),
        key("each", Rule, "a sweep: `from in areas where from.fire > 0`"),
        key("phases", List(&Text), "the phases in which it may be typed; else always"),
        key("any_side", Flag, "the first piece of the usage may be of any side, whoever is to move"),
        key("secret", Flag, "`true`: what it says, throws and draws is the umpire's alone"),
        key("seen_by", Rule, "the sides that see what it says, throws and draws: `viewer = ship.side`"),
        key("notable", Text, "a sentence for the battle report, with values in braces: `{ship} is sunk`; an empty one is left out"),
        key("notable_many", Text, "the sentence if it happens several times in a turn: `{many} ships are sunk: {names}`"),
        key("warns", Flag, "`true`: it ends what is under way, and warns first of what is left, as `next` does"),
        key("require", List(&Table(&REQUIREMENT)), "what must hold"),
        key("before", Rule, "statements before the roll"),
        key("times", WholeOrRule, "how often it is rolled"),
        key("roll", Rule, "what is rolled: `2d6`"),
        key("label", Text, "whose roll it is, with values in braces"),
        key("modifiers", List(&Table(&MODIFIER)), "what is added, each with its reason"),
        key("needs", Rule, "what the total is compared with: `>= 8`, `>= 4 or natural = 6`"),
        key("reroll", Rule, "the condition on which a die is thrown again, once: `natural = 1`, `not passed`"),
        key("more", Rule, "the condition on which a die of `times` brings a further one"),
        key("tally", Named(&WholeOrRule), "what is added up over the dice of `times`: `{ sixes = 'natural = 6' }`"),
        key("pass_say", Text, "words when it is passed"),
        key("pass", Rule, "statements when it is passed"),
        key("fail_say", Text, "words when it is not"),
        key("fail", Rule, "statements when it is not"),
        key("table", List(&Table(&ROW)), "instead of `needs`: every total that can come, once"),
        key("after", Rule, "statements at the end, whatever came out"),
        key("gives", Rule, "the value a caller gets, or several with commas between them"),
    ] needs [] others None;

    REMINDER = "reminder" "What the umpire is reminded of." [
        key("each", Rule, "a sweep: once for each piece that passes"),
        key("when", Rule, "the condition"),
        key("say", Text, "what is said"),
    ] needs ["say"] others None;

    LEFT = "left" "What is left to do in a phase." [
        key("title", Text, "what stands before all that is said: `still to fire`"),
        key("each", Rule, "a sweep: once for each piece that passes"),
        key("when", Rule, "the condition"),
        key("say", Text, "what is said"),
        key("warn", Flag, "`true`: `next` warns of it once before the phase is left"),
    ] needs ["say"] others None;

    SIDES = "sides" "Who plays against whom." [
        key("are", Text, "a set of words, or a kind or list whose pieces are the sides"),
        key("colours", List(&Text), "their colours in pictures, in their order"),
        NOTE,
    ] needs ["are"] others None;

    END = "end" "An end of the game." [
        CITE, NOTE,
        key("when", Rule, "the condition; the game ends when it becomes true"),
        key("winner", Rule, "the side that wins, or `none`"),
        key("margin", Rule, "by how much, as a whole number"),
        key("say", Text, "what is said, with values in braces"),
        key("notable", Text, "the sentence that ends the battle report; else what is said"),
    ] needs ["when"] others None;

    PHASE = "phase" "A step of the turn." [
        key("name", Text, "its name, asked as `state.phase = NAME`"),
        TITLE, CITE, NOTE,
        key("steps", Named(&Whole), "a phase for each, named `NAME-STEP`; its texts read the number as `step`"),
        key("by", Text, "`side`: the sides have it one after the other, as `state.side`"),
        key("order", Rule, "played by the sides: the lowest of this number first"),
        key("alternate", Text, "played by the sides, a piece at a time: the flag that says a piece has acted"),
        key("skip", Rule, "a condition under which it is passed over"),
        key("reveal_orders", Flag, "`true`: the written orders of the sides are read out when it begins"),
        key("do", Rule, "statements run when it begins"),
        key("verbs", List(&Text), "the verbs offered in it"),
        key("remind", List(&Either(&[Text, Table(&REMINDER)])), "what the umpire is reminded of"),
        key("left", List(&Table(&LEFT)), "what is left to do, for `left` and for warnings"),
        key("orders", Rule, "what a simulation does in place of the players"),
        key("end", Rule, "statements run when it is left"),
    ] needs ["name"] others None;

    MEASURE = "measure" "What a simulation counts." [
        TITLE, NOTE,
        key("score", Text, "what the players' pages call it, if it is the score: `areas burning`"),
        key("each", Rule, "one count for each of a kind or list: `s in sides`"),
        key("is", Rule, "the number"),
    ] needs ["is"] others None;

    LEVEL = "level" "A level of the drawn plan." [
        key("number", Whole, "0 is the ground"),
        TITLE,
        key("plan", Text, "a letter of the legend for each area; a blank or `.` is none; hexes may stand apart, with a blank between"),
    ] needs ["plan"] others None;

    SCENARIO = "scenario" "What is set out, and where." [
        TITLE, NOTE,
        key("game", Text, "the ruleset it is for"),
        key("background", Text, "what everybody knows before the game, for the battle report"),
        key("hidden", Flag, "not offered to players"),
        key("complete", Flag, "`true`: the table as it is in the middle of a game, for which no `on_add` runs"),
        key("removed", Named(&List(&Text)), "the pieces by kind that have left the table; their names are not given again"),
        key("deck", Named(&List(&Text)), "the cards in each deck, in order"),
        key("turns", Whole, "the number of turns it lasts, for the players' pages"),
        key("level", List(&Table(&LEVEL)), "the drawn plan, a level each"),
        key("legend", Named(&Named(&CELL)), "what each letter of the plan is"),
        key("walls", List(&Text), "`b2|b3`: no neighbours, though side by side"),
        key("option", Named(&Single), "options that are not as by default"),
        key("state", Named(&CELL), "the state at the beginning"),
        key("pieces", Named(&Named(&Named(&CELL))), "the pieces by kind and name"),
        key("begin", Rule, "statements run after everything is set out"),
        key("tour", List(&Table(&TOUR)), "a guided first turn, for `play --tour`"),
        key("end", Either(&[Table(&END), List(&Table(&END))]), "when this scenario ends, and who wins"),
    ] needs [] others None;

    TOUR = "tour" "A line of a guided first turn." [
        key("line", Text, "what is typed"),
        key("says", Text, "why, in a sentence"),
    ] needs ["line", "says"] others None;

    EXAMPLE = "example" "A worked example, run by `adjutant check`." [
        key("title", Text, "what it shows"),
        key("shows", List(&Text), "the pages or elements of the rule book it shows"),
        key("scenario", Text, "where it is played; else the first scenario"),
        key("option", Named(&Single), "options that are not as by default"),
        key("phase", Text, "puts the game into a phase without running it"),
        key("set", List(&Text), "lines typed before"),
        key("dice", List(&Whole), "every face that falls, in order"),
        key("draws", List(&Text), "cards drawn, by name"),
        key("answers", List(&Text), "answers to questions"),
        key("run", List(&Text), "lines typed"),
        key("expect", List(&Rule), "conditions that must hold afterwards"),
        key("says", List(&Text), "texts the outcome must hold"),
        key("refused", Text, "the last line must be refused with this text"),
    ] needs ["run"] others None;

    ALLOW = "allow" "A warning that is right as it is." [
        key("code", Text, "the code in the brackets of the warning"),
        key("about", Text, "the rule, `kind.attribute` …; all of that code, if not given"),
        key("because", Text, "the reason"),
    ] needs ["code", "because"] others None;

    RULESET = "ruleset" "A game for Adjutant, or one file of it." [
        key("game", Table(&GAME), "whose game it is"),
        key("option", Named(&OneOf(&[&OPTION_FLAG, &OPTION_NUMBER, &OPTION_WORD])), "house-rule switches"),
        key("words", Named(&Table(&WORDS)), "sets of words"),
        key("kind", Named(&Table(&KIND)), "what stands on the table"),
        key("list", Named(&Table(&LIST)), "printed lists"),
        key("state", Named(&ATTRIBUTE), "what is kept of the game as a whole"),
        key("sides", Table(&SIDES), "who plays against whom"),
        key("deck", Named(&Table(&DECK)), "decks of cards and cups of chits"),
        key("chart", Named(&Table(&CHART)), "tables to look up"),
        key("define", Named(&Table(&DEFINE)), "named expressions"),
        key("rule", Named(&Table(&RULE)), "rules and verbs"),
        key("phase", List(&Table(&PHASE)), "the steps of a turn, in order"),
        key("end", Either(&[Table(&END), List(&Table(&END))]), "when the game ends, and who wins"),
        key("measure", Named(&Table(&MEASURE)), "what a simulation counts"),
        key("scenario", Named(&Table(&SCENARIO)), "scenarios"),
        key("example", List(&Table(&EXAMPLE)), "worked examples"),
        key("allow", List(&Table(&ALLOW)), "warnings that are right as they are"),
    ] needs [] others None;
}

/// The forms of an attribute.
const ATTRIBUTE: KeyValue = OneOf(&[
    &ATTRIBUTE_NUMBER,
    &ATTRIBUTE_FLAG,
    &ATTRIBUTE_DICE,
    &ATTRIBUTE_TEXT,
    &ATTRIBUTE_WORD,
    &ATTRIBUTE_REFERENCE,
    &ATTRIBUTE_DERIVED,
]);

/// A text, or several: words of its own, or a set's name.
const TEXTS: KeyValue = Either(&[Text, List(&Text)]);

/// A value given to an attribute.
const CELL: KeyValue = Either(&[Single, List(&Text)]);
