//! The syntax tree of the rule language: expressions and statements with their spans.
//!
//! The tree is not checked; names are as written in the rule text.

use adjutant_dice::{NotationError, Pool};

use crate::source::Span;

/// Keywords that can't be names.
pub(crate) const RESERVED: [&str; 50] = [
    "any", "all", "no", "count", "sum", "highest", "lowest", "first", "best", "nearest", "in",
    "where", "by", "and", "or", "not", "if", "then", "else", "let", "each", "repeat", "times",
    "say", "instruct", "remind", "refuse", "make", "remove", "add", "take", "clear", "link",
    "unlink", "put", "shuffle", "draw", "pick", "ask", "among", "between", "roll", "way", "reveal",
    "stop", "continue", "break", "none", "true", "false",
];

/// Returns advice about a word that belongs to another language or is in the wrong place; `None`
/// for any other word.
pub(super) fn replacement_for(word: &str) -> Option<&'static str> {
    Some(match word {
        "then" => "put statements in braces: `if … { … }`; `then` is for values",
        "elif" | "elseif" | "elsif" => "write `else if`",
        "for" | "foreach" | "while" | "loop" => {
            "write `each x in … { … }` or `repeat … times { … }`"
        }
        "return" => {
            "`return x` is a statement that ends a rule; `gives` holds the value at the end"
        }
        "exit" => "to end a rule, write `stop`",
        "end" => "write `end phase` or `end turn`, and add `for all` for all sides",
        "next" => "write `end phase`; the umpire types `next`",
        "var" | "const" => "write `let x = …`",
        "set" => "write `x = …`",
        "print" => "write `say \"…\"`",
        "yes" => "write `true`",
        "null" | "nil" => "write `none`",
        "is" | "equals" => "write `=`",
        "natural" | "total" | "passed" => {
            "it is known only after the `roll` of a rule: in `pass`, `fail`, `table` and `after`"
        }
        _ => return None,
    })
}

/// A name with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name as written.
    pub text: String,
    /// The byte range that it covers in its source file.
    pub span: Span,
}

/// An expression with its span.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind of expression, with its parts.
    pub kind: ExprKind,
    /// The byte range that it covers in its source file.
    pub span: Span,
}

impl Expr {
    /// Returns this expression combined with another one by an operator.
    pub(crate) fn combined_with(self, operator: Operator, right: Expr) -> Expr {
        let span = self.span.to(right.span);
        Expr { kind: ExprKind::Binary(operator, Box::new(self), Box::new(right)), span }
    }
}

/// Text with embedded values, such as `"{from} (fire {from.fire})"`.
#[derive(Clone, Debug)]
pub struct TextTemplate {
    /// The parts in order.
    pub parts: Vec<TemplatePart>,
    /// The span of the whole text.
    pub span: Span,
}

/// One part of a [`TextTemplate`].
#[derive(Clone, Debug)]
pub enum TemplatePart {
    /// Text without braces.
    Text(String),
    /// A value.
    Value(Expr),
    /// A number and the words that agree with it, in the singular and in the plural.
    Counted(Expr, String, String),
}

macro_rules! operators {
    ($($name:ident $text:literal),* $(,)?) => {
        /// An operator between two expressions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum Operator { $(
            #[doc = concat!("`", $text, "`")]
            #[serde(rename = $text)]
            $name,
        )* }

        impl Operator {
            /// Returns the operator as it is written in rule text.
            pub(crate) fn symbol(self) -> &'static str {
                match self { $( Operator::$name => $text, )* }
            }

            /// Returns the operator with this symbol, if there is one.
            pub(crate) fn from_symbol(text: &str) -> Option<Operator> {
                match text { $( $text => Some(Operator::$name), )* _ => None }
            }
        }
    };
}

operators! {
    Add "+", Subtract "-", Multiply "*", Divide "/", Modulo "mod",
    Equal "=", NotEqual "!=", Less "<", AtMost "<=", Greater ">", AtLeast ">=",
    In "in", NotIn "not in", And "and", Or "or",
}

impl Operator {
    /// Returns true if the operator compares two values.
    pub(crate) fn is_comparison(self) -> bool {
        use Operator::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};
        matches!(self, Equal | NotEqual | Less | AtMost | Greater | AtLeast)
    }

    /// Returns the result of comparing two values; `None` if the operator is not a comparison.
    pub(crate) fn holds<T: Ord + Copy>(self, a: T, b: T) -> Option<bool> {
        Some(match self {
            Operator::Equal => a == b,
            Operator::NotEqual => a != b,
            Operator::Less => a < b,
            Operator::AtMost => a <= b,
            Operator::Greater => a > b,
            Operator::AtLeast => a >= b,
            _ => return None,
        })
    }
}

/// A condition on the members of a source, or a value computed from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `any`: true if at least one member passes.
    Any,
    /// `all`: true if all members pass.
    All,
    /// `no`: true if no member passes.
    No,
    /// `count`: the number of members that pass.
    Count,
    /// `sum`: the sum of the members' values; 0 if there are no members.
    Sum,
    /// `highest`: the highest value; 0 if there are no members.
    Highest,
    /// `lowest`: the lowest value; 0 if there are no members.
    Lowest,
    /// `first`: the first member. If there are no members, `first`, `best` and `nearest` give
    /// `none` for pieces, and fail for words and numbers.
    First,
    /// `best`: the first member with the highest value.
    Best,
    /// `nearest`: the first member with the lowest value.
    Nearest,
}

/// A source of members: `name in over where filter`.
#[derive(Clone, Debug)]
pub struct MemberSource {
    /// The name by which the filter and the body refer to a member.
    pub name: Name,
    /// The members to loop over.
    pub over: Expr,
    /// The condition under which a member counts.
    pub filter: Option<Expr>,
}

impl MemberSource {
    /// Returns the source with an additional condition.
    pub(super) fn with_condition(&self, condition: &Expr) -> MemberSource {
        let condition = condition.clone();
        let filter = match self.filter.clone() {
            Some(filter) => filter.combined_with(Operator::And, condition),
            None => condition,
        };
        MemberSource { filter: Some(filter), ..self.clone() }
    }
}

/// The answers that a question allows.
#[derive(Clone, Debug)]
pub enum AllowedAnswers {
    /// A member of a source.
    Among(Box<MemberSource>),
    /// A whole number in this range, both ends included.
    Between(Box<Expr>, Box<Expr>),
    /// Yes or no.
    Flag,
}

/// A question as written in rule text.
#[derive(Clone, Debug)]
pub struct WrittenQuestion {
    /// The side that decides, if it is stated.
    pub side: Option<Expr>,
    /// The text of the question.
    pub text: TextTemplate,
    /// The answers that the question allows.
    pub answers: AllowedAnswers,
    /// The value of an answer for whoever decides: the answer with the highest value is the best.
    /// For a yes-or-no question, it is a condition that is true if yes is the better answer.
    pub by: Option<Expr>,
}

/// A dice literal, parsed in advance.
#[derive(Clone, Debug)]
pub struct DiceLiteral {
    /// The text as written. A text such as `d6` may also be the name of an area or a word of a set.
    pub text: String,
    /// The dice, or the reason why they cannot be read.
    pub pool: Result<Pool, NotationError>,
}

/// A kind of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A whole number.
    Whole(i64),
    /// A decimal such as `7.5`.
    Fraction(super::number::Number),
    /// Text.
    Text(TextTemplate),
    /// `true` or `false`.
    Flag(bool),
    /// `none`
    Nothing,
    /// A name: a variable, a word, a row, or the plural of a kind.
    Name(String),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `of.name`
    Member(Box<Expr>, Name),
    /// `name(arguments)`
    Call(Name, Vec<Expr>),
    /// `not e`
    Not(Box<Expr>),
    /// `-e`
    Negative(Box<Expr>),
    /// `left operator right`
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `if c then a else b`
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `let x = e`, and the expression on the following lines
    Let(Name, Box<Expr>, Box<Expr>),
    /// `any x in s: e` and similar expressions.
    Quantified(Quantifier, Box<MemberSource>, Option<Box<Expr>>),
    /// `(x in s where c)`, or `(x in s where c by e)`, which lists the members with the lowest
    /// value of `e` first.
    Filtered(Box<MemberSource>, Option<Box<Expr>>),
    /// `1..n`
    Range(Box<Expr>, Box<Expr>),
    /// `way from a to b along links where x: c`, or `path …`
    Way {
        /// True for `path`, whose value is the list of areas; false for `way`, whose value is the
        /// number of steps.
        places: bool,
        /// The area at the beginning.
        from: Box<Expr>,
        /// The area at the end.
        to: Box<Expr>,
        /// The list attribute with the areas next to an area.
        along: Name,
        /// The condition that all areas on the path after the first must satisfy.
        filter: Option<(Name, Box<Expr>)>,
    },
    /// A dice literal such as `2d6kh1`.
    Dice(Box<DiceLiteral>),
    /// `roll 1d6 "label"`
    Roll(Box<Expr>, Option<TextTemplate>),
    /// `ask "question" …`, `ask side "question" … by e`
    Ask(Box<WrittenQuestion>),
    /// `pick x among s`
    Pick(Box<MemberSource>),
    /// `draw from deck`
    Draw(Name),
    /// `make kind { a = e, … } named "…"`
    Make(Name, Vec<(Name, Expr)>, Option<TextTemplate>),
}

/// The operator of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Assignment {
    /// `=`
    Set,
    /// `+=`
    Raise,
    /// `-=`
    Lower,
}

/// Statements in order.
pub(crate) type Statements = Vec<Statement>;

/// A deck statement.
#[derive(Clone, Debug)]
pub enum DeckStatement {
    /// `put n of e into deck`
    Put(Option<Box<Expr>>, Box<Expr>),
    /// `shuffle deck`
    Shuffle,
}

/// A statement with its span.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The kind of statement, with its parts.
    pub kind: StatementKind,
    /// The byte range that it covers in its source file.
    pub span: Span,
}

/// The viewers to whom a line is addressed.
#[derive(Clone, Debug)]
pub enum Addressee {
    /// `to all`
    All,
    /// `to umpire`
    Umpire,
    /// `to e`: a side, or a list of sides.
    Sides(Expr),
}

/// A kind of statement.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `let x = e`, or `let x, y = rule(…)`
    Let(Vec<Name>, Expr),
    /// `target = e`, `target += e`, `target -= e`
    Assign(Expr, Assignment, Expr),
    /// `if c { } else { }`
    If(Expr, Statements, Statements),
    /// `each x in s where c, … { }`
    Each(Vec<MemberSource>, Statements),
    /// `repeat n times { }`
    Repeat(Expr, Statements),
    /// An expression used as a statement, such as a call of a rule or a new piece.
    Do(Expr),
    /// `say "…"`, or `say "…" to side`
    Say(TextTemplate, Option<Addressee>),
    /// `instruct "…"`
    Instruct(TextTemplate),
    /// `remind "…"`
    Remind(TextTemplate),
    /// `refuse "…"`
    Refuse(TextTemplate),
    /// `remove e`
    Remove(Expr),
    /// `add e to e.list`
    Add(Expr, Expr),
    /// `take e from e.list`
    Take(Expr, Expr),
    /// `clear e.list`
    Clear(Expr),
    /// `link a to b by list` (true) or `unlink a from b by list` (false)
    Link(bool, Expr, Expr, Name),
    /// `reveal e`, `reveal e.secret`, `reveal e to side`
    Reveal(Expr, Option<Expr>),
    /// A deck statement.
    Deck(DeckStatement, Name),
    /// `return e`, or `return e, f`: ends the rule and returns these values.
    Return(Vec<Expr>),
    /// `stop`: ends the rule.
    Stop,
    /// `continue`: continues with the next member or repetition of the innermost loop.
    Continue,
    /// `break`: leaves the innermost loop.
    Break,
    /// `end phase`, `end turn for all` …: ends the command, and the phase or the turn.
    End(Period),
    /// `end activation`: the pieces that are acting lose their remaining actions.
    EndActivation,
    /// `activate e`: a piece, or a list of pieces, begins to act.
    Activate(Expr),
}

/// The periods of the game that `end` can end, the shortest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Period {
    /// The phase; if the sides play it in turn, only for the side to move.
    Phase,
    /// The phase, for all sides.
    PhaseOfAll,
    /// The turn of the side to move: the phases that it plays before the next side does. If the
    /// sides don't take turns, it is the turn of all sides.
    Turn,
    /// The turn, for all sides.
    TurnOfAll,
}
