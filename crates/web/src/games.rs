//! A cache of opened games, shared by all matches.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tesuji_arena::{AnyGame, Catalogue, InputError};

/// Unused games stay open until this many others were opened.
const KEPT: usize = 24;

/// The games that are open, by the address that opens them here.
pub(crate) struct Games {
    catalogue: Catalogue,
    cache: Mutex<Cache>,
}

#[derive(Default)]
struct Cache {
    opened: HashMap<String, Weak<dyn AnyGame>>,
    kept: VecDeque<Arc<dyn AnyGame>>,
}

impl Games {
    /// No game of this catalogue is open yet.
    pub(crate) fn new(catalogue: Catalogue) -> Games {
        Games { catalogue, cache: Mutex::default() }
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game, if it is open.
    pub(crate) fn find(&self, address: &str) -> Option<Arc<dyn AnyGame>> {
        self.cache().opened.get(address)?.upgrade()
    }

    /// The game, opened if it is not. May take seconds.
    pub(crate) fn open(&self, address: &str) -> Result<Arc<dyn AnyGame>, InputError> {
        if let Some(game) = self.find(address) {
            return Ok(game);
        }
        let game = self.catalogue.open(address)?;
        let mut cache = self.cache();
        cache.opened.retain(|_, game| game.strong_count() > 0);
        cache.opened.insert(address.to_owned(), Arc::downgrade(&game));
        cache.kept.push_back(Arc::clone(&game));
        if cache.kept.len() > KEPT {
            cache.kept.pop_front();
        }
        Ok(game)
    }
}
