//! Uploaded maps, rule sheets, trees and matrices: checked by opening their game, and named by content.

use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use tesuji_arena::gdl::{Severity, Trial, check};
use tesuji_arena::{Address, Catalogue, GameInfo, ParameterInfo, Source};
use utoipa::ToSchema;

use crate::address_parts::AddressParts;
use crate::addresses::UPLOAD;
use crate::error::ApiError;
use crate::lab::{Lab, blocking};
use crate::secret::digest;
use crate::stores::name_from;
use axum::http::StatusCode;

/// A file.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UploadRequest {
    /// What it is called; the ending says what it is.
    pub name: String,
    /// Its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its bytes, instead of `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
}

/// A file that is kept.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct UploadView {
    /// What to write in addresses.
    pub name: String,
    /// The address of its game.
    pub game: String,
    /// The same address as a name and arguments.
    pub parts: AddressParts,
    /// Warnings about its content.
    pub warnings: Vec<String>,
}

/// Other spellings of extensions.
const ALSO: [(&str, &str); 1] = [(".gdl", ".kif")];

/// The game whose parameter takes files with the ending of `name`.
fn game_taking<'a>(catalogue: &'a Catalogue, name: &str) -> Option<(&'a GameInfo, &'a ParameterInfo, &'static str)> {
    let lower = name.to_ascii_lowercase();
    let also = ALSO.iter().find(|(other, _)| lower.ends_with(other)).map(|(_, ending)| *ending);
    catalogue.games().iter().find_map(|info| {
        let takes = |ending: &str| lower.ends_with(ending) || also == Some(ending);
        let parameter = info.parameters.iter().find(|parameter| parameter.ending.is_some_and(takes))?;
        let ending = parameter.ending?;
        Some((info, parameter, ending))
    })
}

/// The address of the game of an upload.
fn address_of(info: &GameInfo, parameter: &ParameterInfo, name: &str) -> (String, AddressParts) {
    let value = format!("{UPLOAD}{name}");
    let arguments = vec![(Some(parameter.name.to_owned()), value.clone())];
    let address = Address { name: info.name.to_owned(), arguments }.to_string();
    let parts = AddressParts { name: info.name.to_owned(), arguments: [(parameter.name.to_owned(), value)].into() };
    (address, parts)
}

/// Saves a file if its game can be opened.
pub(crate) async fn add(lab: &Arc<Lab>, request: UploadRequest) -> Result<UploadView, ApiError> {
    let Some((info, parameter, ending)) = game_taking(&lab.catalogue, &request.name) else {
        let parameters = lab.catalogue.games().iter().flat_map(|info| &info.parameters);
        let endings: Vec<&str> = parameters.filter_map(|parameter| parameter.ending).collect();
        return Err(ApiError::bad(format!("`{}` has no known extension", request.name))
            .with_help(format!("one of {}", endings.join(", "))));
    };
    let bytes = match (request.text, request.base64) {
        (Some(text), None) => text.into_bytes(),
        (None, Some(text)) => {
            STANDARD.decode(text.trim()).map_err(|error| ApiError::bad(format!("`base64` cannot be read: {error}")))?
        }
        _ => return Err(ApiError::bad("an upload has either `text` or `base64`")),
    };
    if bytes.len() > lab.limits().upload_bytes {
        let message = format!("an upload has at most {} bytes, not {}", lab.limits().upload_bytes, bytes.len());
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    let name = kept_name(&request.name, ending, &bytes);
    let path = lab.addresses.folder().join(&name);
    let written = {
        let (lab, path) = (Arc::clone(lab), path.clone());
        let bytes = bytes.clone();
        blocking(move || write(&lab, &path, &bytes)).await?
    };
    let (game, parts) = address_of(info, parameter, &name);
    if let Err(error) = lab.open_game(&game).await {
        if written {
            let removed = blocking(move || Ok(std::fs::remove_file(&path).is_ok())).await;
            drop(removed);
        }
        return Err(error);
    }
    let warnings = if ending == ".kif" { warnings(&request.name, &bytes).await? } else { Vec::new() };
    Ok(UploadView { name: format!("{UPLOAD}{name}"), game, parts, warnings })
}

/// The name under which content is kept: what it was called, and a piece of its digest.
fn kept_name(name: &str, ending: &str, bytes: &[u8]) -> String {
    let stem = name.rfind('.').map_or(name, |dot| &name[..dot]);
    let stem = name_from(stem.rsplit(['/', '\\']).next().unwrap_or(stem));
    let print = &digest(&STANDARD.encode(bytes))[..8];
    let stem = stem.strip_suffix(print).map_or(stem.as_str(), |stem| stem.trim_end_matches('-'));
    format!("{stem}-{print}{ending}")
}

/// Writes a file unless it is there; returns whether it was written.
fn write(lab: &Lab, path: &Path, bytes: &[u8]) -> Result<bool, ApiError> {
    if path.is_file() {
        return Ok(false);
    }
    let count = std::fs::read_dir(lab.addresses.folder()).map_or(0, Iterator::count);
    if count >= lab.limits().uploads {
        return Err(ApiError::busy("the lab has reached its limit of uploads"));
    }
    std::fs::write(path, bytes).map_err(|error| ApiError::fault(format!("the upload cannot be saved: {error}")))?;
    Ok(true)
}

/// Warnings about a rule sheet, from its text alone.
async fn warnings(name: &str, bytes: &[u8]) -> Result<Vec<String>, ApiError> {
    let source = Source::new(name, String::from_utf8_lossy(bytes));
    blocking(move || {
        let trial = Trial { matches: 0, ..Trial::default() };
        let findings = check(source, &trial).into_iter().filter(|finding| finding.severity != Severity::Note);
        Ok(findings.take(20).map(|finding| finding.error.to_string()).collect())
    })
    .await
}

/// The uploads that are kept.
pub(crate) fn list(lab: &Lab) -> Vec<UploadView> {
    let Ok(entries) = std::fs::read_dir(lab.addresses.folder()) else { return Vec::new() };
    let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let view = |name: &String| {
        let (info, parameter, _) = game_taking(&lab.catalogue, name)?;
        let (game, parts) = address_of(info, parameter, name);
        Some(UploadView { name: format!("{UPLOAD}{name}"), game, parts, warnings: Vec::new() })
    };
    names.iter().filter_map(view).collect()
}

/// An upload as part of a replay file.
pub(crate) fn whole(lab: &Lab, name: &str) -> Result<UploadRequest, ApiError> {
    let bytes = std::fs::read(lab.addresses.upload(name)?)
        .map_err(|error| ApiError::fault(format!("an upload cannot be read: {error}")))?;
    Ok(UploadRequest { name: name.to_owned(), text: None, base64: Some(STANDARD.encode(bytes)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_content_stays_the_same() {
        let name = kept_name("C:\\maps\\My Map.TBSMAP", ".tbsmap", b"abc");
        assert!(name.starts_with("my-map-") && name.ends_with(".tbsmap"), "{name}");
        assert_eq!(kept_name(&name, ".tbsmap", b"abc"), name);
        assert_ne!(kept_name("My Map.tbsmap", ".tbsmap", b"abd"), name);
    }

    #[test]
    fn the_ending_says_which_game_takes_a_file() {
        for (name, game) in
            [("a.tbsmap", "tubstap"), ("a.kif", "gdl"), ("A.GDL", "gdl"), ("a.tree", "tree"), ("a.toml", "matrix")]
        {
            assert_eq!(game_taking(&tesuji_standard::catalogue(), name).unwrap().0.name, game);
        }
        assert!(game_taking(&tesuji_standard::catalogue(), "a.exe").is_none());
    }
}
