//! The rule language as it is written: expressions and statements with their places.
//!
//! Nothing here is checked yet; names are as the author wrote them.

use adjutant_dice::{NotationError, Pool};

use crate::source::Span;

/// Words that name nothing but themselves.
pub(crate) const RESERVED: [&str; 47] = [
    "any", "all", "no", "count", "sum", "highest", "lowest", "first", "best", "nearest", "in",
    "where", "by", "and", "or", "not", "if", "then", "else", "let", "each", "repeat", "times",
    "say", "remind", "refuse", "make", "remove", "add", "take", "clear", "link", "unlink", "put",
    "shuffle", "draw", "pick", "ask", "among", "between", "roll", "way", "reveal", "stop", "none",
    "true", "false",
];

/// Returns what to write in place of a word of another language, or of one that doesn't belong
/// here.
pub(super) fn replacement_for(word: &str) -> Option<&'static str> {
    Some(match word {
        "then" => "statements stand in braces: `if … { … }`; `then` is for values",
        "elif" | "elseif" | "elsif" => "write `else if`",
        "for" | "foreach" | "while" | "loop" => {
            "write `each x in … { … }` or `repeat … times { … }`"
        }
        "return" | "exit" | "break" => "`stop` ends a rule, and its key `gives` is its value",
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

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name as written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

impl Expr {
    /// Returns the operator applied to this expression and another.
    pub(super) fn combined_with(self, operator: Operator, right: Expr) -> Expr {
        let span = self.span.to(right.span);
        Expr { kind: ExprKind::Binary(operator, Box::new(self), Box::new(right)), span }
    }
}

/// Text with values in it: `"{from} (fire {from.fire})"`.
#[derive(Clone, Debug)]
pub struct TextTemplate {
    /// The parts in order.
    pub parts: Vec<TemplatePart>,
    /// The whole text.
    pub span: Span,
}

/// One part of a [`TextTemplate`].
#[derive(Clone, Debug)]
pub enum TemplatePart {
    /// Text without braces.
    Text(String),
    /// A value.
    Value(Expr),
    /// A number and the words that agree with it: for one, and for any other number.
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

            /// Returns the operator that is written like this.
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

    /// Returns true if a comparison holds; `None` if the operator does not compare.
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

/// A question over the members of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// Is there one that passes?
    Any,
    /// Do all pass?
    All,
    /// Does none pass?
    No,
    /// The number that pass.
    Count,
    /// The sum of a value.
    Sum,
    /// The highest of a value; 0 if there is no member.
    Highest,
    /// The lowest of a value; 0 if there is no member.
    Lowest,
    /// The first member.
    First,
    /// The first member with the highest value.
    Best,
    /// The first member with the lowest value.
    Nearest,
}

/// `name in over where filter`.
#[derive(Clone, Debug)]
pub struct MemberSource {
    /// The name each member has in turn.
    pub name: Name,
    /// The members to go through.
    pub over: Expr,
    /// The condition of the members that count.
    pub filter: Option<Expr>,
}

impl MemberSource {
    /// Returns the source with a further condition.
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
    /// One member of a source.
    Among(Box<MemberSource>),
    /// A whole number from the first to the second.
    Between(Box<Expr>, Box<Expr>),
    /// Yes or no.
    Flag,
}

/// Dice as they are written, read once.
#[derive(Clone, Debug)]
pub struct DiceLiteral {
    /// The text, which may also be the name of an area or a word: `d6`.
    pub text: String,
    /// The dice, or why they cannot be read.
    pub pool: Result<Pool, NotationError>,
}

/// A kind of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A whole number.
    Whole(i64),
    /// A decimal: `7.5`
    Fraction(super::number::Number),
    /// Text.
    Text(TextTemplate),
    /// `true` or `false`.
    Flag(bool),
    /// `none`
    Nothing,
    /// A name: a variable, a word, a row, the plural of a kind.
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
    /// `let x = e`, and the expression on the lines below it
    Let(Name, Box<Expr>, Box<Expr>),
    /// `any x in s: e` and its kin.
    Quantified(Quantifier, Box<MemberSource>, Option<Box<Expr>>),
    /// `(x in s where c)`
    Filtered(Box<MemberSource>),
    /// `1..n`
    Range(Box<Expr>, Box<Expr>),
    /// `way from a to b along links where x: c`, or `path …`
    Way {
        /// The areas of the way (`path`), not the number of its steps.
        places: bool,
        /// Where it begins.
        from: Box<Expr>,
        /// Where it leads.
        to: Box<Expr>,
        /// The list attribute that leads from place to place.
        along: Name,
        /// The condition of the places on the way.
        filter: Option<(Name, Box<Expr>)>,
    },
    /// A dice literal such as `2d6kh1`.
    Dice(Box<DiceLiteral>),
    /// `roll 1d6 "label"`
    Roll(Box<Expr>, Option<TextTemplate>),
    /// `ask "question" …`
    Ask(TextTemplate, AllowedAnswers),
    /// `pick x among s`
    Pick(Box<MemberSource>),
    /// `draw from deck`
    Draw(Name),
    /// `make kind { a = e, … } named "…"`
    Make(Name, Vec<(Name, Expr)>, Option<TextTemplate>),
}

/// The way in which an assignment changes its target.
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

/// A statement on a deck.
#[derive(Clone, Debug)]
pub enum DeckStatement {
    /// `put n of e into deck`
    Put(Option<Box<Expr>>, Box<Expr>),
    /// `shuffle deck`
    Shuffle,
}

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its kind.
    pub kind: StatementKind,
    /// Where.
    pub span: Span,
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
    /// A rule called, a piece made, or another expression for what it does.
    Do(Expr),
    /// `say "…"`
    Say(TextTemplate),
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
    /// Something done with a deck.
    Deck(DeckStatement, Name),
    /// `stop`
    Stop,
}
