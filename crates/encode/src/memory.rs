//! Reading and writing regions.
