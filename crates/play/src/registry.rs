//! Objects of the program around Tesuji, found by name.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Objects by name: the bridge from an address, which is text, to something that only the host program can make.
///
/// ```
/// use std::sync::Arc;
/// use tesuji_play::Registry;
///
/// static GREETINGS: Registry<str> = Registry::new();
///
/// GREETINGS.add("morning", Arc::from("good morning"));
/// assert_eq!(GREETINGS.get("morning").as_deref(), Some("good morning"));
/// GREETINGS.remove("morning");
/// assert!(GREETINGS.get("morning").is_none());
/// ```
pub struct Registry<T: ?Sized> {
    entries: Mutex<BTreeMap<String, Arc<T>>>,
}

impl<T: ?Sized> Registry<T> {
    /// Nothing registered.
    pub const fn new() -> Registry<T> {
        Registry { entries: Mutex::new(BTreeMap::new()) }
    }

    /// Registers an object; it replaces one of the same name.
    pub fn add(&self, name: &str, object: Arc<T>) {
        self.lock().insert(name.to_owned(), object);
    }

    /// The object of that name.
    pub fn get(&self, name: &str) -> Option<Arc<T>> {
        self.lock().get(name).cloned()
    }

    /// Forgets an object. Agents that were built from it keep it.
    pub fn remove(&self, name: &str) {
        let removed = self.lock().remove(name);
        // Dropped after the lock is released: the object is the host's, and may do anything when it goes.
        drop(removed);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<T>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: ?Sized> Default for Registry<T> {
    fn default() -> Self {
        Registry::new()
    }
}
