//! Predicate abstraction with procedure and loop summaries (paper 000).
