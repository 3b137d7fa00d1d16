//! The appearance of pieces and areas on plans and cards. It has no effect on the rules.

/// A colour, with one shade for light pages and another for dark ones.
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

    /// Returns the name of the colour in rulesets and in the styles of the pictures.
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

/// A picture for a type of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// A single figure.
    Person,
    /// A stand of figures.
    People,
    /// A leader.
    Leader,
    /// A medic.
    Medic,
    /// A person or thing lying down.
    Lying,
    /// A rider or an animal.
    Horse,
    /// A gun.
    Gun,
    /// A vehicle on wheels.
    Vehicle,
    /// A vehicle on tracks.
    Tank,
    /// Something on a trailer, or carried by several people.
    Trailer,
    /// A small vessel.
    Boat,
    /// A large vessel.
    Ship,
    /// An aircraft.
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

    /// Returns the name of the glyph, as written in rulesets.
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

/// A line that an attribute draws over the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteLine {
    /// A line through the areas of a list, in order.
    Along,
    /// A line from the area in another attribute to the area in this one. The other attribute is
    /// given as an index into the kind's attributes.
    From(usize),
}

/// The attributes that place pieces on a web of rings and sectors, each as an index into the kind's
/// attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebLook {
    /// The attribute for the ring; without it, pieces are drawn outside all rings.
    pub ring: Option<usize>,
    /// The attribute for the sector. Its words run clockwise from the top.
    pub sector: usize,
    /// The attribute for the heading. It uses the same words as the sector.
    pub heading: Option<usize>,
    /// The words for the rings, as indices into their set, from the middle outwards. Pieces with
    /// other words are listed below the web.
    pub rings: Vec<i64>,
    /// True if the ring in the middle has no sectors.
    pub undivided: bool,
}
