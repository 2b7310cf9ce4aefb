//! An experiment as a worker opens it: with its own build and the files that came along, and nothing else.

use std::sync::Arc;

use tesuji_arena::experiment::{Experiment, agents_named, read_experiment};
use tesuji_arena::files::{self, FileSet};
use tesuji_arena::{Catalogue, InputError, Source, Trust, VERSION, experiment_identity};

use crate::wire::{Manifest, files_hash};

/// An experiment that this worker can play.
pub(crate) struct Opened {
    pub id: String,
    pub title: String,
    pub patience: f64,
    pub identity: String,
    pub experiment: Arc<Experiment>,
    pub files: Arc<FileSet>,
    /// The hash of these files.
    pub files_hash: String,
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
            Trust::StartsPrograms | Trust::Network if programs => {}
            Trust::StartsPrograms => {
                return Err(format!("`{address}` starts a program; workers with `--allow-programs` do that"));
            }
            Trust::Network => {
                return Err(format!("`{address}` asks a server; workers with `--allow-programs` do that"));
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
        files_hash: files_hash(&files),
        files,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_arena::experiment::Scale;

    fn manifest(text: &str, identity: &str) -> Manifest {
        Manifest {
            version: VERSION.to_owned(),
            identity: identity.to_owned(),
            title: "t".to_owned(),
            name: "t.toml".to_owned(),
            text: text.to_owned(),
            quick: false,
            files: Vec::new(),
            pieces: 1,
            priority: 5,
            patience: 1.0,
            collector: String::new(),
        }
    }

    fn text(game: &str, agent: &str) -> String {
        format!(
            "title = \"t\"\ngames = ['{game}']\nagents = ['{agent}', \"mc\"]\nseed = 1\npairs = 2\n\
             budget = {{ playouts = 5 }}\n"
        )
    }

    fn refusal(manifest: &Manifest, files: FileSet) -> String {
        let opened = open(&tesuji_standard::catalogue(), "id", manifest, files, false);
        opened.err().unwrap_or_else(|| "it was opened".to_owned())
    }

    #[test]
    fn only_the_files_of_the_experiment_and_agents_without_programs_are_opened() {
        let map = include_bytes!("../../../../data/maps/hill-fort.tbsmap").to_vec();
        let named = text("tubstap(map=own.tbsmap)", "random");
        let files = FileSet::from([("own.tbsmap".to_owned(), map)]);
        let source = Source::new("t.toml", &named);
        let identity = files::with_only(Arc::new(files.clone()), || {
            experiment_identity(&read_experiment(&tesuji_standard::catalogue(), &source, Scale::Full).unwrap()).unwrap()
        });
        assert_eq!(refusal(&manifest(&named, &identity), files.clone()), "it was opened");
        assert!(refusal(&manifest(&named, "other"), files).contains("not the same here"));
        assert!(refusal(&manifest(&named, &identity), FileSet::new()).contains("did not come with the experiment"));
        // A file of this machine is not opened, though it is there.
        let own = format!("{}/Cargo.toml", env!("CARGO_MANIFEST_DIR"));
        let stolen = text("tubstap", &format!("uct(fuzzy={own})"));
        let refused = refusal(&manifest(&stolen, &identity), FileSet::new());
        assert!(refused.contains("did not come with the experiment"), "{refused}");
        for agent in ["process(cmd=\"sh\")", "nominate(nominators=\"mc + process(cmd=sh)\")"] {
            let refused = refusal(&manifest(&text("tic-tac-toe", agent), &identity), FileSet::new());
            assert!(refused.contains("starts a program"), "{agent}: {refused}");
        }
        let outside = refusal(&manifest(&text("tic-tac-toe", "outside(peer=x)"), &identity), FileSet::new());
        assert!(outside.contains("outside"), "{outside}");
        let older = Manifest { version: "0.0.1".to_owned(), ..manifest(&named, &identity) };
        assert!(refusal(&older, FileSet::new()).contains("published by Tesuji 0.0.1"));
    }
}
