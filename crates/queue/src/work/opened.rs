//! An experiment as a worker opens it: with its own build and the files that came along, and nothing else.

use std::sync::Arc;

use tesuji_arena::experiment::{Experiment, agents_named, read_experiment};
use tesuji_arena::files::{self, FileSet};
use tesuji_arena::{Catalogue, InputError, Source, Trust, VERSION, experiment_identity};

use crate::wire::Manifest;

/// An experiment that this worker can play.
pub(crate) struct Opened {
    pub id: String,
    pub title: String,
    pub patience: f64,
    pub identity: String,
    pub experiment: Arc<Experiment>,
    pub files: Arc<FileSet>,
}

/// Refuses an experiment of another version before anything of it is read.
pub(crate) fn check_version(manifest: &Manifest) -> Result<(), String> {
    if manifest.version == VERSION {
        return Ok(());
    }
    Err(format!("it was published by Tesuji {}, this worker is {VERSION}", manifest.version))
}

/// Opens an experiment, or says why this worker does not play it.
pub(crate) fn open(
    catalogue: &Catalogue,
    id: &str,
    manifest: &Manifest,
    files: FileSet,
    programs: bool,
) -> Result<Opened, String> {
    check_version(manifest)?;
    let in_words = |error: InputError| error.to_string();
    let source = Source::new(&manifest.name, &manifest.text);
    // Before any agent is built: building one may start a program.
    for address in agents_named(&source).map_err(in_words)? {
        match catalogue.trust(&address).map_err(in_words)? {
            Trust::Contained => {}
            Trust::StartsPrograms if programs => {}
            Trust::StartsPrograms => {
                return Err(format!("`{address}` starts a program; workers with `--allow-programs` do that"));
            }
            Trust::Outside => return Err(format!("`{address}` stands for a player outside")),
        }
    }
    let files = Arc::new(files);
    let (experiment, identity) = files::with_only(Arc::clone(&files), || {
        let experiment = read_experiment(catalogue, &source, manifest.scale())?;
        let identity = experiment_identity(&experiment)?;
        Ok((experiment, identity))
    })
    .map_err(in_words)?;
    if identity != manifest.identity {
        return Err("its games, agents or files are not the same here: the builds or the programs differ".to_owned());
    }
    Ok(Opened {
        id: id.to_owned(),
        title: manifest.title.clone(),
        patience: manifest.patience,
        identity,
        experiment: Arc::new(experiment),
        files,
    })
}
