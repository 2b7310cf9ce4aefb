//! Opened games, shared by everybody who plays them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tesuji_arena::{AnyGame, Catalogue, InputError};

/// Games that nobody plays any more are kept until this many others were opened.
const KEPT: usize = 8;

/// The games that are open, by the address that opens them here.
pub struct Games {
    catalogue: Catalogue,
    shelf: Mutex<Shelf>,
}

#[derive(Default)]
struct Shelf {
    opened: HashMap<String, Weak<dyn AnyGame>>,
    kept: VecDeque<Arc<dyn AnyGame>>,
}

impl Games {
    /// No game of this catalogue is open yet.
    pub fn new(catalogue: Catalogue) -> Games {
        Games { catalogue, shelf: Mutex::default() }
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game, if it is open.
    pub fn find(&self, address: &str) -> Option<Arc<dyn AnyGame>> {
        self.shelf().opened.get(address)?.upgrade()
    }

    /// The game, opened if it is not. May take seconds.
    pub fn open(&self, address: &str) -> Result<Arc<dyn AnyGame>, InputError> {
        if let Some(game) = self.find(address) {
            return Ok(game);
        }
        let game = self.catalogue.open(address)?;
        let mut shelf = self.shelf();
        shelf.opened.retain(|_, game| game.strong_count() > 0);
        shelf.opened.insert(address.to_owned(), Arc::downgrade(&game));
        shelf.kept.push_back(Arc::clone(&game));
        if shelf.kept.len() > KEPT {
            shelf.kept.pop_front();
        }
        Ok(game)
    }
}
