//! The looks of things on plans and cards. They mean nothing to the rules.

/// A colour, drawn as suits a light or dark page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Red.
    Red,
    /// Orange.
    Orange,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Purple.
    Purple,
    /// Brown.
    Brown,
    /// Black.
    Black,
    /// Grey.
    Grey,
    /// White.
    White,
}

impl Colour {
    /// All colours.
    pub(crate) const ALL: [Colour; 10] = [
        Colour::Red,
        Colour::Orange,
        Colour::Yellow,
        Colour::Green,
        Colour::Blue,
        Colour::Purple,
        Colour::Brown,
        Colour::Black,
        Colour::Grey,
        Colour::White,
    ];

    /// Returns its name, as a ruleset and the style of the pictures write it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Colour::Red => "red",
            Colour::Orange => "orange",
            Colour::Yellow => "yellow",
            Colour::Green => "green",
            Colour::Blue => "blue",
            Colour::Purple => "purple",
            Colour::Brown => "brown",
            Colour::Black => "black",
            Colour::Grey => "grey",
            Colour::White => "white",
        }
    }
}

/// The picture of a sort of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// One figure.
    Person,
    /// A stand of figures.
    People,
    /// Somebody who leads.
    Leader,
    /// Somebody who helps the injured.
    Medic,
    /// Somebody or something lying down.
    Lying,
    /// A rider or an animal.
    Horse,
    /// A gun.
    Gun,
    /// A vehicle on wheels.
    Vehicle,
    /// A vehicle on tracks.
    Tank,
    /// Something on a trailer, or carried by several.
    Trailer,
    /// A small vessel.
    Boat,
    /// A large vessel.
    Ship,
    /// Something that flies.
    Aircraft,
    /// A house.
    Building,
    /// A sheet or a flag.
    Flag,
}

impl Glyph {
    /// All glyphs.
    pub(crate) const ALL: [Glyph; 15] = [
        Glyph::Person,
        Glyph::People,
        Glyph::Leader,
        Glyph::Medic,
        Glyph::Lying,
        Glyph::Horse,
        Glyph::Gun,
        Glyph::Vehicle,
        Glyph::Tank,
        Glyph::Trailer,
        Glyph::Boat,
        Glyph::Ship,
        Glyph::Aircraft,
        Glyph::Building,
        Glyph::Flag,
    ];

    /// Returns its name, as a ruleset writes it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Glyph::Person => "person",
            Glyph::People => "people",
            Glyph::Leader => "leader",
            Glyph::Medic => "medic",
            Glyph::Lying => "lying",
            Glyph::Horse => "horse",
            Glyph::Gun => "gun",
            Glyph::Vehicle => "vehicle",
            Glyph::Tank => "tank",
            Glyph::Trailer => "trailer",
            Glyph::Boat => "boat",
            Glyph::Ship => "ship",
            Glyph::Aircraft => "aircraft",
            Glyph::Building => "building",
            Glyph::Flag => "flag",
        }
    }
}

/// A line over the plan that an attribute draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteLine {
    /// From area to area in a list of areas.
    Along,
    /// To this area from that of another attribute, given as an index of the kind's attributes.
    From(usize),
}

/// The attributes that give the positions of pieces on a web of rings and sectors, each an index of the kind's attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebLook {
    /// The attribute for the ring; without it, pieces are drawn outside all rings.
    pub ring: Option<usize>,
    /// The attribute for the sector. Its words are clockwise, from the top.
    pub sector: usize,
    /// The attribute for the heading, of the same words.
    pub heading: Option<usize>,
    /// The words that are rings, from the middle outwards. Pieces with other words are beside the web.
    pub rings: Vec<i64>,
    /// True if the ring in the middle has no sectors.
    pub undivided: bool,
}
