//! List values: one machine word holds the start and the length of the members in the machine's
//! list store.

/// Returns the value of the list whose members are `length` elements of the list store, beginning
/// at index `start`.
pub(in crate::language) fn pack(start: usize, length: usize) -> i64 {
    ((start as i64) << 32) | length as i64
}

/// Returns the start and the length of a list value.
pub(in crate::language) fn unpack(list: i64) -> (usize, usize) {
    ((list >> 32) as usize, (list & 0xffff_ffff) as usize)
}
