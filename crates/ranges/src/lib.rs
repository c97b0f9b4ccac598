//! Bounds of integer variables at every node of a program.
