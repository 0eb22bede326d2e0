//! Small facts that several hosts share, for rulebooks with ports of their own.

use commlib::{Reason, Refused};

use super::{Host, claiming::refused};

/// How often a change is tried. Each failure means that another host succeeded, so more are improbable.
const ATTEMPTS: usize = 50;

/// What becomes of a shared text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shared<T> {
    /// It stays as it is.
    Keep(T),
    /// It is replaced.
    Replace(String, T),
}

impl Host {
    /// Changes a small text that all hosts of the cluster share under a name. `change` is asked again if another host was faster. Returns
    /// `None` if this host is alone.
    ///
    /// # Errors
    /// If the store fails, or this host is dead. Then it is unknown whether the text was changed.
    pub async fn change_shared<T>(
        &self,
        name: &str,
        mut change: impl FnMut(&str) -> Shared<T>,
    ) -> Result<Option<T>, Refused> {
        let Some(cluster) = &self.cluster else { return Ok(None) };
        for _ in 0..ATTEMPTS {
            let known = cluster.membership.shared_text(name.to_owned()).await.map_err(refused)?;
            match change(&known.text) {
                Shared::Keep(answer) => return Ok(Some(answer)),
                Shared::Replace(text, answer) => {
                    let replaced = cluster.membership.replace_text(name.to_owned(), known.version, text).await;
                    if replaced.map_err(refused)? {
                        return Ok(Some(answer));
                    }
                }
            }
        }
        Err(Refused::new(Reason::StoreUnavailable, "The hosts cannot agree now; try again."))
    }
}
