//! Every page opens, every page is listed, and no link is dead: in the manual, on the site and among the files.

use std::collections::{BTreeMap, BTreeSet};

use crate::book::Book;
use crate::{open, render, search, sources};

fn books() -> [Book; 2] {
    [Book::of(""), Book::of("ja/")]
}

/// The values of an attribute in HTML.
fn values(html: &str, attribute: &str) -> Vec<String> {
    let before = format!(" {attribute}=\"");
    let parts = html.split(&before).skip(1);
    parts.filter_map(|rest| Some(rest.split_once('"')?.0.replace("&amp;", "&"))).collect()
}

/// A relative address as a path of the manual.
fn resolved(page: &str, address: &str) -> String {
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in address.split('/') {
        match part {
            ".." => assert!(parts.pop().is_some(), "{page}: {address} leaves the manual"),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn address_of(source: &str) -> String {
    let stem = source.trim_end_matches(".md");
    let stem = stem.strip_suffix("README").map_or(stem.to_owned(), |folder| format!("{folder}index"));
    format!("{stem}.html")
}

#[test]
fn no_link_is_dead() {
    let mut anchors: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut bodies = Vec::new();
    for book in books() {
        for chapter in book.chapters() {
            let text = sources::text(&chapter.path).unwrap_or_else(|| panic!("{} is missing", chapter.path));
            let body = render::body(&text);
            let page = address_of(&chapter.path);
            anchors.insert(page.clone(), values(&body, "id").into_iter().collect());
            bodies.push((page, body));
        }
    }
    let mut dead = Vec::new();
    for (page, body) in &bodies {
        let links = values(body, "href").into_iter().chain(values(body, "src"));
        for link in links.filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() { page.clone() } else { resolved(page, path) };
            let there = match anchors.get(&target) {
                Some(known) => anchor.is_empty() || known.contains(anchor),
                None => !target.ends_with(".html") && open(&target).is_some(),
            };
            if !there {
                dead.push(format!("{page}: {link}"));
            }
        }
    }
    assert_eq!(dead, Vec::<String>::new());
}

#[test]
fn every_page_is_listed_once() {
    let listed: Vec<String> = books()
        .iter()
        .flat_map(|book| book.chapters().map(|chapter| chapter.path.clone()).collect::<Vec<_>>())
        .collect();
    let unique: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(unique.len(), listed.len(), "a chapter is listed twice");
    let files = sources::all();
    let pages = files.iter().filter(|path| path.ends_with(".md") && !path.ends_with("SUMMARY.md"));
    let unlisted: Vec<&String> = pages.filter(|path| !unique.contains(path)).collect();
    assert_eq!(unlisted, Vec::<&String>::new(), "docs/SUMMARY.md does not list these");
}

#[test]
fn pages_have_contents_search_and_the_other_language() {
    let first = String::from_utf8(open("").unwrap().body).unwrap();
    assert!(first.contains("<html lang=\"en\">") && first.contains("href=\"ja/index.html\""), "{first}");
    let japanese = String::from_utf8(open("ja/").unwrap().body).unwrap();
    assert!(japanese.contains("<html lang=\"ja\">") && japanese.contains("href=\"../index.html\""), "{japanese}");
    assert_eq!(open("pictures/dice7.svg").unwrap().content_type, "image/svg+xml");
    for outside in ["../Cargo.toml", "book.toml", "SUMMARY.md", "games/pig.md", "no/such.html", "build"] {
        assert!(open(outside).is_none(), "{outside}");
    }
    let found = String::from_utf8(search("en", "Goofspiel prize").body).unwrap();
    assert!(found.contains("href=\"/help/games/goofspiel.html\""), "{found}");
    let nothing = String::from_utf8(search("en", "<script>").body).unwrap();
    assert!(nothing.contains("No page contains") && !nothing.contains("<script>"), "{nothing}");
}
