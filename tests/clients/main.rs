//! Clients in other languages, each with its own tests against the real binary.

/// The package of clients/python, by its unittest suite.
mod python;
