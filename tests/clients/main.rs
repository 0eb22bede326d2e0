//! Clients in other languages, each with its own tests against the real binary.

/// A player of the project game in Python, which knows the documents only.
mod agent;
/// The client of clients/java, with the JDK that is installed.
mod java;
/// All of them at one table, with one of ours.
mod mixed;
/// The package of clients/python, by its unittest suite.
mod python;
