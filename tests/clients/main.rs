//! Clients in other languages against the real program, as their users build them.

/// The client in clients/java, with the JDK that is installed.
mod java;
