//! Sources that must check, and sources that must not.
