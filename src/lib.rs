//! mop
