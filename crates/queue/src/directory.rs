//! The list of open experiments on the server, with their manifests and files.

use std::time::Duration;

use async_nats::jetstream::kv;
use tesuji_arena::InputError;
use tesuji_arena::files::FileSet;
use tokio::io::AsyncReadExt;

use crate::server::{Queue, failed};
use crate::wire::{INDEX, Listed, Manifest, NEWS, hash, json_bytes};

/// How often a change of the list is tried again when somebody else changes it at the same time.
const ATTEMPTS: usize = 50;

/// The list of open experiments, the first ones first.
pub(crate) async fn listed(experiments: &kv::Store) -> Result<Vec<Listed>, InputError> {
    Ok(read(experiments).await?.0)
}

async fn read(experiments: &kv::Store) -> Result<(Vec<Listed>, u64), InputError> {
    let entry =
        experiments.entry(INDEX).await.map_err(|error| failed("the list of experiments cannot be read", error))?;
    let Some(entry) = entry else { return Ok((Vec::new(), 0)) };
    let mut list: Vec<Listed> = serde_json::from_slice(&entry.value).unwrap_or_default();
    list.sort_by(|one, two| two.priority.cmp(&one.priority).then(one.id.cmp(&two.id)));
    Ok((list, entry.revision))
}

/// Changes the list of open experiments.
async fn change(queue: &Queue, change: impl Fn(&mut Vec<Listed>)) -> Result<(), InputError> {
    let mut last = String::new();
    for _ in 0..ATTEMPTS {
        let (mut list, revision) = read(&queue.experiments).await?;
        let before = list.clone();
        change(&mut list);
        if list == before {
            return Ok(());
        }
        match queue.experiments.update(INDEX, json_bytes(&list).into(), revision).await {
            Ok(_) => return Ok(()),
            Err(error) => last = error.to_string(),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Err(InputError::new(format!("the list of experiments cannot be changed: {last}")))
}

/// Publishes an experiment with its files.
pub(crate) async fn publish(queue: &Queue, id: &str, manifest: &Manifest, files: &FileSet) -> Result<(), InputError> {
    for (path, bytes) in files {
        let name = hash(bytes);
        if queue.files.info(&name).await.is_ok_and(|info| !info.deleted && info.size == bytes.len()) {
            continue;
        }
        let put = queue.files.put(name.as_str(), &mut bytes.as_slice()).await;
        put.map_err(|error| failed("the server did not take a file of the experiment", error).in_file(path))?;
    }
    let put = queue.experiments.put(id, json_bytes(manifest).into()).await;
    put.map_err(|error| failed("the server did not take the experiment", error))?;
    let priority = manifest.priority;
    change(queue, |list| {
        list.retain(|listed| listed.id != id);
        list.push(Listed { id: id.to_owned(), priority });
        list.sort_by(|one, two| two.priority.cmp(&one.priority).then(one.id.cmp(&two.id)));
    })
    .await?;
    news(queue).await;
    Ok(())
}

/// Tells workers to look at the list of experiments.
pub(crate) async fn news(queue: &Queue) {
    // Workers look at the list from time to time anyway.
    drop(queue.client.publish(NEWS, "".into()).await);
}

/// The manifest of an experiment; `None` if it is not there or cannot be read.
pub(crate) async fn manifest(experiments: &kv::Store, id: &str) -> Result<Option<Manifest>, InputError> {
    let bytes = experiments.get(id).await.map_err(|error| failed("an experiment cannot be read", error))?;
    Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

/// The files of an experiment, checked by their hashes.
pub(crate) async fn files(queue: &Queue, manifest: &Manifest) -> Result<FileSet, InputError> {
    let mut files = FileSet::new();
    for (path, name, length) in &manifest.files {
        let object = queue.files.get(name).await;
        let mut object =
            object.map_err(|error| failed("a file of the experiment is not on the server", error).in_file(path))?;
        let mut bytes = Vec::new();
        let read = object.read_to_end(&mut bytes).await;
        read.map_err(|error| failed("a file of the experiment cannot be read", error).in_file(path))?;
        if bytes.len() as u64 != *length || hash(&bytes) != *name {
            return Err(InputError::new("this file of the experiment is damaged on the server").in_file(path));
        }
        files.insert(path.clone(), bytes);
    }
    Ok(files)
}

/// Removes an experiment with its tasks and answers. Files that no open experiment names are removed, too.
pub(crate) async fn remove(queue: &Queue, id: &str) -> Result<(), InputError> {
    let removed = manifest(&queue.experiments, id).await?;
    change(queue, |list| list.retain(|listed| listed.id != id)).await?;
    news(queue).await;
    // What is not there need not be removed.
    drop(queue.experiments.purge(id).await);
    drop(queue.tasks.delete_consumer(id).await);
    drop(queue.answers.delete_consumer(id).await);
    drop(queue.tasks.purge().filter(crate::wire::tasks_subject(id)).await);
    drop(queue.answers.purge().filter(crate::wire::answers_subject(id)).await);
    let mut used = Vec::new();
    for listed in listed(&queue.experiments).await? {
        let manifest = manifest(&queue.experiments, &listed.id).await?;
        used.extend(manifest.into_iter().flat_map(|manifest| manifest.files).map(|(_, name, _)| name));
    }
    for (_, name, _) in removed.into_iter().flat_map(|manifest| manifest.files) {
        if !used.contains(&name) {
            drop(queue.files.delete(&name).await);
        }
    }
    Ok(())
}
