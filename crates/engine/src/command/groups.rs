//! Finds groups of pieces that a line names together: all pieces of a kind, pieces with the same
//! name but different numbers, and the members of a squad.

use super::restate::{ARTICLES, is_one_of, trim_mark};
use super::{Reading, Token, TypedLine};
use crate::language::machine::World;
use crate::language::rule::RuleText;
use crate::language::schema::{AttributeStorage, Element, KindId, KindRole, Type};
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// Words in front of a group that mean all of its members.
const ALL: [&str; 5] = ["all", "both", "every", "whole", "entire"];

/// Pieces of one kind that a line names together.
pub(super) struct Group {
    pub kind: KindId,
    pub rows: Vec<u32>,
    pub names: Vec<String>,
}

/// Words that end in an `s` without being a plural, such as one of `a1` and `a2`.
const NOT_PLURALS: [&str; 8] = ["as", "is", "its", "his", "was", "has", "us", "this"];

/// Returns the names of the pieces that a line names together, as a group. `the watch` is a group if
/// several pieces have this name with different numbers.
pub(crate) fn groups_in(referee: &Referee, table: &Tabletop, line: &str) -> Vec<String> {
    let typed = TypedLine::read(line);
    let mut words = typed.map_or_else(|_| Vec::new(), |typed| typed.tokens);
    words.iter_mut().filter(|word| !word.quoted).for_each(trim_mark);
    let reading = Reading::new(referee, table, line);
    let groups = (0..words.len()).filter_map(|at| {
        let stem = words[at].text.to_lowercase();
        if is_one_of(&stem, &NOT_PLURALS) {
            return None;
        }
        let group = reading.group_at(&words[at..]).map(|(group, _)| group);
        let is_article = is_one_of(&stem, &ARTICLES);
        group.or_else(|| if is_article { None } else { reading.pieces_numbered(&stem) })
    });
    let mut names: Vec<String> = Vec::new();
    for name in groups.flat_map(|group| group.names) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the names of the pieces that a line begins with as a group, such as `all mtbs`, and the number
/// of words that name them.
pub(crate) fn group_at(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> Option<(Vec<String>, usize)> {
    let typed = TypedLine::read(line).ok()?;
    let (group, taken) = Reading::new(referee, table, line).group_at(&typed.tokens)?;
    Some((group.names, taken))
}

/// Returns the members of a piece, with the kind of each group of them.
pub(crate) fn members_by_kind(
    referee: &Referee,
    table: &Tabletop,
    kind: KindId,
    row: u32,
) -> Vec<(KindId, Vec<u32>)> {
    let groups = Reading::new(referee, table, "").member_groups(kind, row);
    groups.into_iter().map(|group| (group.kind, group.rows)).collect()
}

impl Reading<'_> {
    fn group_of(&self, kind: KindId, rows: Vec<u32>) -> Option<Group> {
        let names: Vec<String> =
            rows.iter().map(|&row| self.table.name(kind, row).to_owned()).collect();
        (!rows.is_empty()).then_some(Group { kind, rows, names })
    }

    /// Returns the group that these words begin with, and the number of words it takes. A group is
    /// written as the plural of a name, such as `guns` for `gun1` and `gun2`; as a word such as
    /// `all` or `both`, followed by the plural of a name or kind; or as `all of`, followed by the
    /// name of a squad. After `both`, the group must have two members. Returns `None` if the words
    /// begin with no group.
    pub(super) fn group_at(&self, words: &[Token]) -> Option<(Group, usize)> {
        let is_all = |word: &Token| !word.quoted && is_one_of(&word.text, &ALL);
        let is_little = |word: &Token| !word.quoted && is_one_of(&word.text, &["of", "the"]);
        let first_is_all = words.first().is_some_and(is_all);
        let is_article = words.len() > 1 && !words[0].quoted && is_one_of(&words[0].text, &["the"]);
        let mut at = usize::from(first_is_all || is_article);
        while first_is_all && words.get(at).is_some_and(is_little) {
            at += 1;
        }
        let word = words.get(at).filter(|word| !word.quoted)?;
        let both = first_is_all && words[0].text.eq_ignore_ascii_case("both");
        // `both heavy carts`
        if first_is_all
            && let Some(noun) = words.get(at + 1).filter(|noun| !noun.quoted)
            && let Some(singular) = noun.text.to_lowercase().strip_suffix('s')
        {
            let described = self.pieces_described_by_two(&word.text.to_lowercase(), singular);
            let group = self.group_of_one_kind(&described);
            if let Some(group) = group.filter(|group| !both || group.rows.len() == 2) {
                return Some((group, at + 2));
            }
        }
        let taken = at + 1;
        if let Some((kind, row)) = self.table.find(&word.text) {
            // A piece means its members only after a word such as `all`.
            let members = if first_is_all { self.only_members(kind, row) } else { None };
            return members.map(|group| (group, taken));
        }
        let group = self.kind_named(&word.text).filter(|_| first_is_all);
        let group = match group {
            Some(kind) => self.group_of(kind, self.table.present_pieces(kind).collect()),
            None => self.pieces_with_stem(&word.text),
        };
        let is_fitting = |found: &Group| !both || found.rows.len() == 2;
        if let Some(group) = group {
            return is_fitting(&group).then_some((group, taken));
        }
        // `half tracks` are half-tracks.
        let noun = words.get(taken).filter(|noun| !noun.quoted && noun.text.ends_with('s'))?;
        let hyphenated = self.pieces_with_stem(&format!("{}-{}", word.text, noun.text));
        hyphenated.filter(is_fitting).map(|found| (found, taken + 1))
    }

    /// Returns the kind of piece with this plural.
    fn kind_named(&self, plural: &str) -> Option<KindId> {
        let mut kinds = self.ruleset().schema.all_kinds();
        let found = kinds.find(|(_, kind)| {
            kind.role == KindRole::Pieces && kind.plural.eq_ignore_ascii_case(plural)
        });
        found.map(|(id, _)| id)
    }

    /// Returns the pieces whose names are the singular of this word followed by a number or letter:
    /// `guns` means `gun1` and `gun2`. If these are fewer than two, or are of different kinds,
    /// returns the pieces described by the singular instead: `colliers` means all pieces described
    /// as a collier. The same conditions apply to them; otherwise, returns `None`.
    fn pieces_with_stem(&self, plural: &str) -> Option<Group> {
        // A hyphen may be typed where the names have none: `T-34s`.
        if plural.contains('-')
            && let Some(group) = self.pieces_with_stem(&plural.replace('-', ""))
        {
            return Some(group);
        }
        let plural = plural.to_lowercase();
        let mut stems = vec![plural.strip_suffix('s').filter(|stem| !stem.is_empty())?.to_owned()];
        stems.extend(plural.strip_suffix("ies").map(|stem| format!("{stem}y")));
        stems.extend(plural.strip_suffix("es").map(str::to_owned));
        stems.iter().find_map(|stem| self.pieces_numbered(stem)).or_else(|| {
            let described = |stem: &String| self.group_of_one_kind(&self.pieces_described_as(stem));
            // Some captions are plurals themselves, such as `archers`.
            stems.iter().chain([&plural]).find_map(described)
        })
    }

    /// Returns the pieces whose names are this word followed by a number or letter. Returns `None`
    /// if there are fewer than two, or if they are of different kinds.
    fn pieces_numbered(&self, stem: &str) -> Option<Group> {
        let has_stem = |name: &str| {
            let end = name.to_lowercase();
            end.strip_prefix(stem).is_some_and(|end| {
                let is_number = end.bytes().all(|b| b.is_ascii_digit());
                let is_letter = end.len() == 1 && end.bytes().all(|b| b.is_ascii_lowercase());
                !end.is_empty() && (is_number || is_letter)
            })
        };
        let mut found: Vec<(KindId, u32)> = Vec::new();
        for (name, kind, row) in self.table.names() {
            if has_stem(name) {
                found.push((kind, row));
            }
        }
        self.group_of_one_kind(&found)
    }

    /// Returns these pieces as a group; `None` if there are fewer than two, or if they are of
    /// different kinds.
    fn group_of_one_kind(&self, found: &[(KindId, u32)]) -> Option<Group> {
        let kind = found.first()?.0;
        let rows: Vec<u32> = found.iter().map(|(_, row)| *row).collect();
        let is_group = rows.len() > 1 && found.iter().all(|(other, _)| *other == kind);
        self.group_of(kind, rows).filter(|_| is_group)
    }

    /// Returns the members of the piece that a word names, if the rules take a list of pieces of
    /// the members' kind but no piece of the named piece's kind.
    pub(super) fn members_meant(&self, word: &Token, rules: &[&RuleText]) -> Option<Group> {
        let (kind, row) = self.table.find(&word.text).filter(|_| !word.quoted)?;
        let params = || rules.iter().flat_map(|rule| &rule.params);
        if params().any(|param| param.ty.member_or_self() == Type::Piece(kind)) {
            return None;
        }
        let mut wanted: Vec<KindId> = Vec::new();
        for param in params() {
            if let Type::List(Element::Piece(of)) = param.ty
                && !wanted.contains(&of)
            {
                wanted.push(of);
            }
        }
        let mut groups = wanted.into_iter().filter_map(|of| self.members(kind, row, of));
        let group = groups.next()?;
        groups.next().is_none().then_some(group)
    }

    /// Returns the members of a group that belong to one of the given pieces, or the whole group if
    /// no member does.
    pub(super) fn those_of(&self, group: Group, kind: KindId, rows: &[u32]) -> Group {
        let of_rows = rows.iter().filter_map(|&row| self.members(kind, row, group.kind));
        let owned: Vec<u32> = of_rows.flat_map(|members| members.rows).collect();
        let kept = group.rows.iter().copied().filter(|row| owned.contains(row)).collect();
        self.group_of(group.kind, kept).unwrap_or(group)
    }

    /// Returns the members of a piece if it has any and they are all of one kind; otherwise `None`.
    pub(super) fn only_members(&self, kind: KindId, row: u32) -> Option<Group> {
        let mut groups = self.member_groups(kind, row).into_iter();
        let group = groups.next()?;
        groups.next().is_none().then_some(group)
    }

    /// Returns the members of a piece in a group for each of their kinds.
    pub(super) fn member_groups(&self, kind: KindId, row: u32) -> Vec<Group> {
        let kinds = self.ruleset().schema.all_kinds();
        let pieces = kinds.filter(|(id, of)| *id != kind && of.role == KindRole::Pieces);
        pieces.filter_map(|(of, _)| self.members(kind, row, of)).collect()
    }

    /// Returns the pieces of another kind that belong to a piece. If the piece has exactly one list
    /// of pieces of that kind, its members are the pieces in the list. If it has no such list, its
    /// members are the pieces on its side that refer to it, provided that their kind has only one
    /// attribute for such a reference. Pieces on other sides don't count, because they may refer to
    /// the piece as a target.
    fn members(&self, kind: KindId, row: u32, of: KindId) -> Option<Group> {
        if kind == of {
            return None;
        }
        let schema = &self.ruleset().schema;
        let own = schema.kind(kind).attributes.iter().enumerate();
        let mut lists = own.filter(|(_, attribute)| {
            attribute.ty == Type::List(Element::Piece(of)) && !attribute.bookkeeping
        });
        if let Some((index, _)) = lists.next() {
            let members = self.referee.attribute_members(self.table, kind, row, index);
            return members.filter(|_| lists.next().is_none()).and_then(|m| self.group_of(of, m));
        }
        let references = schema.kind(of).attributes.iter();
        let mut references = references
            .filter(|attribute| attribute.ty == Type::Piece(kind) && !attribute.bookkeeping);
        let AttributeStorage::Cell(column) = references.next()?.storage else { return None };
        if references.next().is_some() {
            return None;
        }
        let side = |id: KindId, index: u32| self.referee.side_of_piece(self.table, id, index);
        let own_side = side(kind, row);
        let belongs = |member: &u32| {
            self.table.get(column, *member) == i64::from(row) && side(of, *member) == own_side
        };
        self.group_of(of, self.table.present_pieces(of).filter(belongs).collect())
    }
}
