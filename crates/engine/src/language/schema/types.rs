//! Types of values, the storage of attributes, and the ids of declarations.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u16);

        impl $name {
            /// Returns the id as an index.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the id for an index. An index above 65,535 becomes 65,535, but no schema has
            /// that many declarations of one type.
            pub fn from_index(index: usize) -> Self {
                $name(u16::try_from(index).unwrap_or(u16::MAX))
            }
        }
    )* };
}

ids! {
    /// A kind of piece, a printed list, the state or the options.
    KindId,
    /// A column of single values: one attribute of one kind.
    ColumnId,
    /// A column of lists: one list attribute of one kind, or a deck.
    ListId,
    /// A set of words.
    WordsId,
    /// A deck or cup.
    DeckId,
    /// A chart.
    ChartId,
    /// A definition.
    DefineId,
    /// A rule.
    RuleId,
    /// A compiled function.
    FunctionId,
}

/// The kind that holds the state of the game as a whole; it has one row.
pub const STATE_KIND: KindId = KindId(0);
/// The kind that holds the options; it has one row.
pub const OPTION_KIND: KindId = KindId(1);
/// The compass directions, which every game has.
pub const DIRECTION_WORDS: WordsId = WordsId(0);

/// The type of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Type {
    /// A whole number.
    Whole,
    /// A number that may have a fractional part.
    Number,
    /// Dice used as a number, such as `2d6+1`, or a fixed number.
    Dice,
    /// True or false.
    Flag,
    /// A word of a set.
    Word(WordsId),
    /// A piece or a row of a list; may be `none`.
    Piece(KindId),
    /// A list.
    List(Element),
    /// Text.
    Text,
    /// The type of `none`, before the kind of piece is known.
    Nothing,
    /// The type of a faulty expression. It fits every other type, so one fault doesn't cause
    /// others.
    #[default]
    Unknown,
}

impl Type {
    /// Returns the type of the members of a list type. Other types are returned unchanged.
    pub(crate) fn member_or_self(self) -> Type {
        match self {
            Type::List(element) => element.member_type(),
            ty => ty,
        }
    }

    /// Returns the element type of a list that holds values of this type. For a list type, returns
    /// its element type. Returns [`Element::Any`] for types that a list can't hold and for unknown
    /// types.
    pub(crate) fn as_element(self) -> Element {
        match self {
            Type::Piece(kind) => Element::Piece(kind),
            Type::Word(set) => Element::Word(set),
            Type::Whole => Element::Whole,
            Type::List(element) => element,
            Type::Number | Type::Dice | Type::Flag | Type::Text => Element::Any,
            Type::Nothing | Type::Unknown => Element::Any,
        }
    }
}

/// The type of the members of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// Pieces or rows.
    Piece(KindId),
    /// Words.
    Word(WordsId),
    /// Whole numbers.
    Whole,
    /// The unknown type of the members of an empty list, which fits every list type.
    Any,
}

impl Element {
    /// Returns the type of one member.
    pub fn member_type(self) -> Type {
        match self {
            Element::Piece(k) => Type::Piece(k),
            Element::Word(w) => Type::Word(w),
            Element::Whole => Type::Whole,
            Element::Any => Type::Unknown,
        }
    }
}

/// Where the value of an attribute is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AttributeStorage {
    /// In a column of single values.
    Cell(ColumnId),
    /// In a column of lists.
    List(ListId),
    /// Computed whenever it is read.
    Computed(FunctionId),
}

impl AttributeStorage {
    /// Returns the column, if the attribute is stored as a single value.
    pub(crate) fn cell(self) -> Option<ColumnId> {
        if let AttributeStorage::Cell(column) = self { Some(column) } else { None }
    }

    /// Returns the column, if the attribute is stored as a list.
    pub(crate) fn list(self) -> Option<ListId> {
        if let AttributeStorage::List(list) = self { Some(list) } else { None }
    }
}

impl Default for AttributeStorage {
    fn default() -> AttributeStorage {
        AttributeStorage::Cell(ColumnId(u16::MAX))
    }
}

/// The range of whole numbers that a row of a table, or a row or column of a chart, covers. Both
/// ends are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowRange {
    /// The lowest number; `i64::MIN` for "or less".
    pub low: i64,
    /// The highest number; `i64::MAX` for "or more".
    pub high: i64,
}

impl RowRange {
    /// Returns true if the value is in the range.
    pub(crate) fn holds(self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }
}
