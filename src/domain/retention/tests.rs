//! The figures at their boundaries.
