//! The forms of all sections, and of the tables in them.

use super::KeyValue::{
    Either, Flag, Form as Table, List, Named, OneOf, Rule, Single, Text, Whole, WholeOrRule,
};
use super::{Form, Key, KeyValue};

const fn key(name: &'static str, value: KeyValue, about: &'static str) -> Key {
    Key { name, value, about }
}

const TITLE: Key = key("title", Text, "a heading for human readers");
const CITE: Key = key("cite", Text, "the page or section of the rule book, such as `p. 8`");
const NOTE: Key = key("note", Text, "a comment for the reader");
const MARKER: Key = key("marker", Text, "the marker or die that represents it on the real table");
const SIGN: Key = key(
    "sign",
    TEXTS,
    "the letter that the map shows on an area, or one letter for each word; empty for no letter",
);
const COLOUR: Key = key(
    "colour",
    TEXTS,
    "the colour of its marker, line or ground in pictures, such as `red`, or one colour for each word",
);
const GLYPH: Key = key(
    "glyph",
    Named(&Text),
    "the pictures of a piece, one for each word or row, such as `{ tank = \"vehicle\" }`",
);
const LINE: Key = key(
    "line",
    Either(&[Flag, Text]),
    "draws it as a line over the plan: `true` if it is a list of areas; if it is one area, the name of the attribute that holds the area where the line begins",
);
const BOOKKEEPING: Key =
    key("bookkeeping", Flag, "`true`: for internal use by the rules; never shown as a reason");
const SIDE: Key = key(
    "side_attribute",
    Text,
    "the attribute that holds the owner's side or a piece that has a side; by default `side` or, if there is no `side`, the first attribute that holds a side",
);
const SECRET: Key = key(
    "secret",
    Either(&[Text, Flag]),
    "who sees it until it is revealed, besides the umpire: only its own side (`side`), only its own player (`player`), or no one (`umpire`)",
);
const SEEN_BY: Key = key(
    "seen_by",
    Rule,
    "the sides that see it until it is revealed: an expression in which `viewer` is the viewing side, such as `viewer = self.side`",
);
const SAYS: Key = key(
    "says",
    Text,
    "its phrase in the printed rules, such as `on fire`, `can burn` or `draught`",
);
const ALSO: Key = key(
    "also",
    List(&Text),
    "other words for it in questions: with `burning` for the level of a fire, `show burning` lists the fires above 0",
);
const NAMES: Key = key("names", List(&Text), "a name for each number from `from` upwards");

macro_rules! forms {
    ($($name:ident = $called:literal $about:literal [$($key:expr),* $(,)?] needs $needed:tt others $others:expr;)*) => { $(
        #[doc = $about]
        pub(in crate::ruleset) static $name: Form = Form {
            name: $called, about: $about, keys: &[$($key),*], needed: &$needed, others: $others,
        };
    )* };
}

forms! {
    GAME = "game" "The title and author of the game." [
        key("title", Text, "the title of the game"),
        key("author", Text, "who wrote the rules"),
        key("edition", Text, "the edition of the rules"),
        key("about", Text, "the game in one sentence, to help players choose"),
        key("source", Text, "where the rules were published"),
        key("note", Text, "a comment for the umpire"),
        key("halved_d3", Flag, "`true`: a d3 is rolled as a d6 and halved, so players type faces from 1 to 6"),
    ] needs ["title"] others None;

    OPTION_FLAG = "option-flag" "A house-rule switch: rules read `option.NAME`, and `option NAME off` turns it off." [
        TITLE, CITE, NOTE,
        key("default", Flag, "whether it is on at the beginning"),
    ] needs ["default"] others None;

    OPTION_NUMBER = "option-number" "A house rule that is a whole number." [
        TITLE, CITE, NOTE,
        key("default", Whole, "the number at the beginning"),
        key("from", Whole, "the lowest number"),
        key("to", Whole, "the highest number"),
    ] needs ["default"] others None;

    OPTION_WORD = "option-word" "A house rule that is one of several words." [
        TITLE, CITE, NOTE,
        key("default", Text, "the word at the beginning"),
        key("one_of", TEXTS, "the words it can be, or the name of a set"),
    ] needs ["default", "one_of"] others None;

    WORDS = "words" "A named set of words, in order." [
        TITLE, CITE, NOTE,
        key("values", List(&Text), "the words"),
        key("marks", List(&Text), "short symbols, one for each word: `♣`"),
        key("says", List(&Text), "phrases for the printed rules, one for each word: `lying down`"),
        key("also", Named(&Text), "other words that the umpire may type, each with the word that it means: `{ left = \"port\" }`"),
        key("round", Flag, "`true`: the first word follows the last"),
    ] needs ["values"] others None;

    ATTRIBUTE_NUMBER = "attribute-number" "A number in a range." [
        key("from", Whole, "the lowest value"),
        key("to", Whole, "the highest value"),
        key("fractions", Flag, "`true`: halves, quarters, thirds … are possible"),
        key("many", Flag, "`true`: a list of such numbers"),
        key("start", Single, "the value at the beginning, which can be computed, as in `self.class.hull`; by default the lowest value or, with `fractions`, the one nearest to 0"),
        NAMES, MARKER, SIGN, COLOUR, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, ALSO, NOTE, CITE,
    ] needs [] others None;

    ATTRIBUTE_FLAG = "attribute-flag" "True or false." [
        key("flag", Flag, "`true`"),
        key("start", Either(&[Flag, Text]), "the value at the beginning, which can be computed, as in `self.class.fast`; by default `false`"),
        NAMES, MARKER, SIGN, COLOUR, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, ALSO, NOTE, CITE,
    ] needs ["flag"] others None;

    ATTRIBUTE_DICE = "attribute-dice" "Dice in place of a number, such as `2d6+1`, `d3` or `4`." [
        key("dice", Flag, "`true`"),
        key("start", Either(&[Text, Whole]), "the dice at the beginning, by default `0`"),
        NAMES, MARKER, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, NOTE, CITE,
    ] needs ["dice"] others None;

    ATTRIBUTE_TEXT = "attribute-text" "A text." [
        key("text", Flag, "`true`"),
        key("start", Text, "the text at the beginning, which must be computed, as in `self.class.motto`; by default the text is empty"),
        NAMES, MARKER, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, NOTE, CITE,
    ] needs ["text"] others None;

    ATTRIBUTE_WORD = "attribute-word" "A word of a set." [
        key("one_of", TEXTS, "the words it can be, or the name of a set"),
        key("many", Flag, "`true`: a list of such words"),
        key("start", Text, "the word at the beginning, by default the first"),
        key("unmarked", Text, "the word for which no marker is used; the word `none` never has a marker"),
        NAMES, MARKER, SIGN, COLOUR, GLYPH, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, NOTE, CITE,
    ] needs ["one_of"] others None;

    ATTRIBUTE_REFERENCE = "attribute-reference" "Another piece, or a row of a list." [
        key("of", Text, "the kind or list it points to"),
        key("many", Flag, "`true`: a list of such pieces or rows"),
        key("start", Text, "the row at the beginning; references to pieces begin as `none`"),
        NAMES, MARKER, COLOUR, GLYPH, LINE, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, NOTE, CITE,
    ] needs ["of"] others None;

    ATTRIBUTE_DERIVED = "attribute-derived" "A value computed from other values whenever it is read." [
        key("is", Rule, "an expression, which can use `self`"),
        NAMES, MARKER, BOOKKEEPING, SECRET, SEEN_BY, TITLE, SAYS, ALSO, NOTE, CITE,
    ] needs ["is"] others None;

    KIND = "kind" "A kind of piece on the table. Every subtable except `web` is an attribute." [
        TITLE, NOTE, CITE,
        key("plural", Text, "the plural, by default the kind's name with an s added"),
        key("plan", Either(&[Flag, Text]), "makes its pieces the areas of the drawn plan: `true` for squares, or `hex` or `hex-flat` for hexes"),
        key("prefix", Text, "the prefix of the names that the program gives to pieces"),
        key("marker", Text, "the real object that is put on the table for a piece"),
        key("place_attribute", Text, "the attribute that refers to the place of a piece, by default `at` or `place`"),
        SIDE,
        key("title_attribute", Text, "the attribute by which players know a piece: a text, a word, or a row of a list"),
        key("glyph", Text, "its picture on plans and cards: `person`, `vehicle`, `ship` …"),
        key("web", Table(&WEB), "where a piece is on a web of rings and sectors"),
        key("shown", List(&Text), "the attributes shown in a roster, the most important first"),
        key("on_add", Rule, "statements to run when a piece is added"),
        key("on_set", Rule, "statements to run after the umpire has set an attribute of a piece"),
        SECRET, SEEN_BY,
    ] needs [] others Some(ATTRIBUTE);

    WEB = "web" "The attributes that place a piece on a web of rings and sectors." [
        key("ring", Text, "the attribute for the ring; if it is left out, all pieces are outside the rings"),
        key("rings", List(&Text), "the words that are rings, from the middle outwards"),
        key("undivided", Flag, "`true`: the ring in the middle has no sectors"),
        key("sector", Text, "the attribute for the sector; its words run clockwise from the top"),
        key("heading", Text, "the attribute for the heading, which uses the same words as the sector"),
    ] needs ["sector"] others None;

    LIST = "list" "A printed list that pieces point to. Every subtable except `rows` and `every` is an attribute." [
        TITLE, NOTE, CITE,
        key("plural", Text, "the plural, by default the list's name with an s added"),
        key("title_attribute", Text, "the text that names a row, by default `title`"),
        SIDE,
        key("columns", List(&Text), "the attributes whose values each row lists, in order"),
        key("rows", Named(&Either(&[List(&CELL), Named(&CELL)])), "the rows by name"),
        key("every", Named(&Text), "one row for each combination of words from several sets"),
    ] needs [] others Some(ATTRIBUTE);

    DECK = "deck" "A deck of cards or a cup of chits." [
        TITLE, CITE, NOTE,
        key("of", Text, "the list or kind of its cards"),
        key("fill", Rule, "statements to run at every `shuffle`; by default the deck gets one of each card"),
    ] needs ["of"] others None;

    CHART = "chart" "A table with one or two axes, to look values up in." [
        TITLE, CITE, NOTE,
        key("by", Text, "the axis, such as `distance: whole`, or two axes separated by a comma"),
        key("columns", List(&Single), "with two axes: the values along the top"),
        key("gives", Text, "the type of the values, by default numbers"),
        key("rows", Named(&Either(&[Single, List(&Single)])), "the rows, each named by its value or range on the first axis"),
    ] needs ["by", "rows"] others None;

    DEFINE = "define" "A named expression with parameters." [
        TITLE, CITE, NOTE,
        key("takes", Text, "its parameters: `from: area, into: area`"),
        key("says", Text, "its phrase in the printed rules: `{a} can see {b}`"),
        key("is", Rule, "the expression"),
    ] needs ["is"] others None;

    REQUIREMENT = "requirement" "A condition that must be true; otherwise, the rule is refused." [
        key("that", Rule, "the condition"),
        key("because", Text, "the reason for the refusal, shown to the umpire"),
    ] needs ["that", "because"] others None;

    MODIFIER = "modifier" "A modifier: a number added to the dice." [
        key("by", WholeOrRule, "the number to add"),
        key("when", Rule, "the condition under which it applies, by default always"),
        key("because", Text, "its reason, shown with the roll"),
    ] needs ["by", "because"] others None;

    VERSUS = "versus" "The roll of the other side in an opposed roll." [
        key("roll", Rule, "its dice: `1d6`"),
        key("label", Text, "its roller, with values in braces: `{foe}`"),
        key("modifiers", List(&Table(&MODIFIER)), "its modifiers, each with its reason"),
    ] needs ["roll", "label"] others None;

    REROLL = "reroll" "A reroll that someone may choose after seeing the dice." [
        key("may", Rule, "the condition under which it is offered: `not passed and team.rerolls > 0`"),
        key("cost", Rule, "statements to run if it is taken: `team.rerolls -= 1`"),
        key("side", Rule, "the side that decides"),
        key("ask", Text, "the question, with values in braces; by default it shows the roll"),
        key("by", Rule, "true if rerolling is the better choice, for the odds and simulations"),
    ] needs ["may"] others None;

    ROW = "row" "A row of a result table." [
        key("on", Either(&[Text, Whole]), "the totals: `5`, `2-3`, `12 or more`"),
        key("when", Rule, "a condition instead of totals: `natural = 6`; the first row whose condition is true is used"),
        key("say", Text, "words shown with the result"),
        key("reads", Text, "the result in words for charts and books, if `say` depends on the state of the game"),
        key("do", Rule, "statements to run"),
    ] needs [] others None;

    RULE = "rule" "A rule, which the umpire can type if it has a `usage`." [
        TITLE, CITE, NOTE,
        key("reads", Text, "a description in sentences, printed in the rules instead of its statements"),
        key("usage", Text, "how to type it: `fight <target:area> with <hose:hose>`"),
        key("also", List(&Text), "other words for the verb: `spray`, `hose down`"),
        key("takes", Text, "its parameters, if other rules call it: `target: area`"),
        key("default", Named(&WholeOrRule), "expressions for the values of the parts of the usage that may be left out"),
        key("each", Rule, "a sweep, which runs the rule once for each piece: `from in areas where from.fire > 0`"),
        key("phases", List(&Text), "the phases or rounds in which it can be typed, by default all"),
        key("actions", WholeOrRule, "the number of actions it takes in a phase with `activate`, by default 1"),
        key("any_side", Flag, "`true`: the first piece of the usage may belong to any side, not only to the side to move"),
        key("secret", Either(&[Text, Flag]), "who sees its texts, dice and cards besides the umpire: only the side of its first piece (`side`), only the player of that piece (`player`), or no one (`umpire`)"),
        key("seen_by", Rule, "the sides that see its texts, dice and cards: an expression such as `viewer = ship.side`"),
        key("notable", Text, "a sentence for the battle report, with values in braces: `{ship} was sunk`; an empty one is left out"),
        key("notable_many", Text, "the sentence if it happens several times in a turn: `{many} ships were sunk: {names}`"),
        key("notable_by", Text, "the sentence if one piece did it to one or several others: `{actor} sank {names}`"),
        key("notable_name", Text, "a name in the lists of `notable_many` and `notable_by`, in which each whole-number parameter is the sum of its values in all calls for that name: `{lost man|men} of {name}`"),
        key("warns", Flag, "`true`: it ends the current activity and, like `next`, first warns if something is left to do"),
        key("require", List(&Table(&REQUIREMENT)), "the conditions that must be true, each with the reason why the rule is otherwise refused"),
        key("before", Rule, "statements before the roll"),
        key("times", WholeOrRule, "the number of rolls"),
        key("roll", Rule, "the dice to roll: `2d6`"),
        key("label", Text, "the roller, with values in braces"),
        key("modifiers", List(&Table(&MODIFIER)), "the modifiers, each with its reason"),
        key("versus", Table(&VERSUS), "the roll of the other side; its total is then `theirs`, and `margin` is the difference"),
        key("needs", Rule, "the comparison for success: `>= 8`, `>= 4 or natural = 6`"),
        key("reroll", Either(&[Rule, Table(&REROLL)]), "the condition for rolling a die again once, such as `natural = 1` or `not passed`; or a table for a reroll that someone may choose"),
        key("more", Rule, "with `times`: the condition for rolling an additional die"),
        key("tally", Named(&WholeOrRule), "sums over the dice of `times`: `{ sixes = 'natural = 6' }`"),
        key("pass_say", Text, "words for a success"),
        key("pass", Rule, "statements to run after a success"),
        key("fail_say", Text, "words for a failure"),
        key("fail", Rule, "statements to run after a failure"),
        key("table", List(&Table(&ROW)), "instead of `needs`: a row for each possible total"),
        key("after", Rule, "statements to run at the end, after success or failure"),
        key("gives", Rule, "the value returned to a caller, or several values separated by commas"),
    ] needs [] others None;

    ACTIVATE = "activate" "The pieces that act one at a time in a phase." [
        key("of", Text, "the kind of these pieces"),
        key("actions", WholeOrRule, "the number of actions of a piece, by default 1: an expression in which `self` is the piece; a piece with 0 can't act"),
    ] needs ["of"] others None;

    REMINDER = "reminder" "A reminder for the umpire." [
        key("each", Rule, "a sweep: one reminder for each piece"),
        key("when", Rule, "the condition under which it is shown"),
        key("say", Text, "the text of the reminder"),
    ] needs ["say"] others None;

    LEFT = "left" "Something left to do in a phase." [
        key("title", Text, "words to show before the texts, such as `still to fire`"),
        key("each", Rule, "a sweep: one text for each piece"),
        key("when", Rule, "the condition under which it is shown"),
        key("say", Text, "the text to show"),
        key("warn", Flag, "`true`: `next` warns of it once before the phase is left"),
    ] needs ["say"] others None;

    WATCH = "watch" "Something that must not be forgotten." [
        key("title", Text, "words to show before the texts, such as `without orders`"),
        key("each", Rule, "a sweep: one text for each piece"),
        key("when", Rule, "the condition under which it is shown"),
        key("say", Text, "the text to show"),
        key("phases", List(&Text), "the phases or rounds at whose beginning it is shown; `watch` always shows it"),
    ] needs ["say"] others None;

    SIDES = "sides" "The sides of the game." [
        key("are", Text, "a set of words, or a kind or list whose pieces are the sides"),
        key("colours", List(&Text), "their colours in pictures, in the same order"),
        NOTE,
    ] needs ["are"] others None;

    PLAYERS = "players" "The people who play, if each may have secrets from the others." [
        key("are", Text, "the kind whose pieces represent the players"),
        key("orders", Text, "in a game without sides: the line that gives a player's orders, containing `{who}`, `{text}` and `{player}`"),
        NOTE,
    ] needs [] others None;

    END = "end" "A condition that ends the game." [
        CITE, NOTE,
        key("when", Rule, "the condition; the game ends when it becomes true"),
        key("winner", Rule, "the side that wins, or `none`"),
        key("margin", Rule, "the margin of victory, as a whole number"),
        key("say", Text, "the text to show, with values in braces"),
        key("notable", Text, "the sentence that ends the battle report, by default the text shown"),
    ] needs ["when"] others None;

    PHASE = "phase" "A step of the turn." [
        key("name", Text, "its name; rules read `state.phase = NAME`"),
        TITLE, CITE, NOTE,
        key("reads", Text, "a description of `do` and `end` in sentences, printed in the rules instead of them"),
        key("steps", Named(&Whole), "makes one phase for each number, named `NAME-STEP`; its texts read the number as `step`"),
        key("by", Text, "`side`: the sides play it one after another, and `state.side` is the side to move"),
        key("order", Rule, "a number for each side; the side with the lowest number plays first"),
        key("alternate", Text, "the flag that marks a piece as having acted; the sides then take turns, one piece at a time"),
        key("activate", Table(&ACTIVATE), "makes one piece act at a time, with a number of actions for each"),
        key("skip", Rule, "a condition under which it is skipped"),
        key("reveal_orders", Flag, "`true`: the sides' written orders are revealed when it begins"),
        key("do", Rule, "statements to run when it begins"),
        key("verbs", List(&Text), "the verbs that can be used in it"),
        key("remind", List(&Either(&[Text, Table(&REMINDER)])), "reminders for the umpire"),
        key("left", List(&Table(&LEFT)), "things left to do, for `left` and for warnings"),
        key("orders", Rule, "statements that a simulation runs in place of the players"),
        key("end", Rule, "statements to run when it ends"),
    ] needs ["name"] others None;

    ROUND = "round" "Phases that each side plays through before the next side does." [
        key("name", Text, "its name; verbs and `[[watch]]` can name it in place of its phases"),
        TITLE, CITE, NOTE,
        key("by", Text, "`side`"),
        key("order", Rule, "a number for each side; the side with the lowest number plays first"),
        key("phases", List(&Text), "its phases, in the order in which they are declared"),
        key("verbs", List(&Text), "the verbs that can be used in all its phases"),
        key("remind", List(&Either(&[Text, Table(&REMINDER)])), "reminders for the umpire when a side begins it"),
    ] needs ["name", "by", "phases"] others None;

    MEASURE = "measure" "A number that a simulation collects." [
        TITLE, NOTE,
        key("score", Text, "its name on the players' pages if it is the score, such as `areas burning`"),
        key("better", Text, "`more` or `fewer`: whether higher or lower numbers are better, for the battle report"),
        key("each", Rule, "one number for each piece, row or word: `s in sides`"),
        key("is", Rule, "the number"),
    ] needs ["is"] others None;

    LEVEL = "level" "A level of the drawn plan." [
        key("number", Whole, "the number of the level, by default one more than the previous; 0 is the ground"),
        TITLE,
        key("plan", Text, "a letter of the legend for each area, and a space or `.` where there is no area; hexes may be separated by spaces"),
    ] needs ["plan"] others None;

    SCENARIO = "scenario" "The set-up of the table at the beginning of a game." [
        TITLE, NOTE,
        key("game", Text, "the ruleset it is for"),
        key("background", Text, "the situation that everyone knows before the game, for the battle report"),
        key("hidden", Flag, "`true`: it is not offered to players"),
        key("complete", Flag, "`true`: the table is from the middle of a game, so no `on_add` runs"),
        key("removed", Named(&List(&Text)), "the pieces, by kind, that have left the table; their names are not used again"),
        key("deck", Named(&List(&Text)), "the cards in each deck, in order"),
        key("turns", Whole, "the number of turns, for the players' pages"),
        key("level", List(&Table(&LEVEL)), "the drawn plan, level by level"),
        key("legend", Named(&Named(&CELL)), "the meaning of each letter of the plan"),
        key("walls", List(&Text), "pairs of areas that are adjacent but not connected, such as `b2|b3`"),
        key("places", Named(&Text), "the names of parts of the plan, for the battle report: `\"the mill\" = \"b2 c2-d3\"`"),
        key("option", Named(&Single), "options with values other than the default"),
        key("state", Named(&CELL), "the state at the beginning"),
        key("pieces", Named(&Named(&Named(&CELL))), "the pieces by kind and name"),
        key("begin", Rule, "statements to run after everything is set up"),
        key("tour", List(&Table(&TOUR)), "a guided first turn, for `play --tour`"),
        key("end", Either(&[Table(&END), List(&Table(&END))]), "when this scenario ends, and who wins"),
    ] needs [] others None;

    TOUR = "tour" "A line of a guided first turn." [
        key("line", Text, "the line to type"),
        key("says", Text, "the reason for it, in a sentence"),
    ] needs ["line", "says"] others None;

    EXAMPLE = "example" "A worked example, run by `adjutant check`." [
        key("title", Text, "a sentence that explains its point"),
        key("shows", List(&Text), "the pages or elements of the rule book that it shows"),
        key("scenario", Text, "its scenario, by default the first"),
        key("option", Named(&Single), "options with values other than the default"),
        key("phase", Text, "the phase in which it begins; the statements that begin the phase are not run"),
        key("set", List(&Text), "lines typed before the example begins"),
        key("dice", List(&Whole), "the face of every die rolled, in order"),
        key("draws", List(&Text), "cards drawn, by name"),
        key("answers", List(&Text), "answers to questions"),
        key("run", List(&Text), "the lines typed"),
        key("expect", List(&Rule), "conditions that must be true afterwards"),
        key("says", List(&Text), "texts that the outcome must contain"),
        key("seen", Named(&List(&Text)), "for each side or player, texts that it must see"),
        key("unseen", Named(&List(&Text)), "for each side or player, texts that it must not see"),
        key("refused", Text, "a text that the refusal must contain; the last line must be refused"),
    ] needs ["run"] others None;

    ALLOW = "allow" "A warning to silence." [
        key("code", Text, "the code in the brackets of the warning"),
        key("about", Text, "the subject of the warning: a rule, `kind.attribute` …; by default any subject"),
        key("because", Text, "the reason"),
    ] needs ["code", "because"] others None;

    RULESET = "ruleset" "A game for Adjutant, or one file of it." [
        key("game", Table(&GAME), "title and author"),
        key("option", Named(&OneOf(&[&OPTION_FLAG, &OPTION_NUMBER, &OPTION_WORD])), "house-rule switches"),
        key("words", Named(&Table(&WORDS)), "sets of words"),
        key("kind", Named(&Table(&KIND)), "the pieces on the table"),
        key("list", Named(&Table(&LIST)), "printed lists"),
        key("state", Named(&ATTRIBUTE), "attributes of the game as a whole"),
        key("sides", Table(&SIDES), "the sides of the game"),
        key("players", Table(&PLAYERS), "the people who play"),
        key("deck", Named(&Table(&DECK)), "decks of cards and cups of chits"),
        key("chart", Named(&Table(&CHART)), "tables to look values up in"),
        key("define", Named(&Table(&DEFINE)), "named expressions"),
        key("rule", Named(&Table(&RULE)), "rules and verbs"),
        key("phase", List(&Table(&PHASE)), "the steps of a turn, in order"),
        key("round", List(&Table(&ROUND)), "phases that each side plays through before the next side does"),
        key("watch", List(&Table(&WATCH)), "things that must not be forgotten"),
        key("end", Either(&[Table(&END), List(&Table(&END))]), "when the game ends, and who wins"),
        key("measure", Named(&Table(&MEASURE)), "numbers that a simulation collects"),
        key("scenario", Named(&Table(&SCENARIO)), "scenarios"),
        key("example", List(&Table(&EXAMPLE)), "worked examples"),
        key("allow", List(&Table(&ALLOW)), "warnings to silence"),
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

/// One text, or a list of texts.
const TEXTS: KeyValue = Either(&[Text, List(&Text)]);

/// A value given to an attribute.
const CELL: KeyValue = Either(&[Single, List(&Text)]);
