//! Lists whose items can also be found by name.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};

/// Something with a name. The name must not change once the item is in a [`Named`].
pub trait HasName {
    /// Returns the name, or an empty string if there is none.
    fn name(&self) -> &str;
}

/// A list that only grows and can be read as a slice. If two items have the same name, lookups find
/// the first one.
#[derive(Clone, Debug)]
pub struct Named<T> {
    items: Vec<T>,
    indices: HashMap<String, usize>,
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Named { items: Vec::new(), indices: HashMap::new() }
    }
}

impl<T: HasName> Named<T> {
    /// Adds an item at the end.
    pub(crate) fn push(&mut self, item: T) {
        let index = self.items.len();
        if !item.name().is_empty() {
            self.indices.entry(item.name().to_owned()).or_insert(index);
        }
        self.items.push(item);
    }

    /// Returns the index of the item with this name, if there is one.
    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        self.indices.get(name).copied()
    }

    /// Returns the item with this name, if there is one.
    pub fn named(&self, name: &str) -> Option<&T> {
        self.items.get(self.index_of(name)?)
    }
}

impl<T: HasName> FromIterator<T> for Named<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut named = Named::default();
        items.into_iter().for_each(|item| named.push(item));
        named
    }
}

impl<T> Deref for Named<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for Named<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<'a, T> IntoIterator for &'a Named<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}
