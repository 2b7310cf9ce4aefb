//! What a client knows about a match of the lab, and what must still hold after the lab was killed.

use serde_json::{Value, json};

use super::Fault;

/// A match as the last answers showed it.
pub(super) struct KnownMatch {
    /// Its id in the API.
    pub(super) id: String,
    /// The game and the seats, to start the same match again.
    pub(super) request: Value,
    /// The keys of the seats, by player.
    pub(super) keys: Value,
    /// Are all seats taken by people? Such a match changes by requests only.
    pub(super) people_only: bool,
    /// The actions of every step.
    history: Vec<Value>,
    /// The players who have chosen for the next step.
    chosen: Vec<Value>,
    /// Who resigned, or null.
    resigned: Value,
    /// An action was sent and the lab was killed before it answered.
    pub(super) unanswered: bool,
}

impl KnownMatch {
    /// A match that was just started.
    pub(super) fn new(request: Value, started: &Value) -> Result<KnownMatch, Fault> {
        let id = started["id"].as_str().ok_or_else(|| Fault::new(format!("a match without an id: {started}")))?;
        let seats = request["seats"].as_array().map_or(&[][..], Vec::as_slice);
        Ok(KnownMatch {
            id: id.to_owned(),
            people_only: seats.iter().all(|seat| seat.get("person").is_some()),
            keys: started["keys"].clone(),
            request,
            history: Vec::new(),
            chosen: Vec::new(),
            resigned: Value::Null,
            unanswered: false,
        })
    }

    /// The path of the match in the API.
    pub(super) fn path(&self, rest: &str) -> String {
        format!("/api/matches/{}{rest}", self.id)
    }

    /// The key of a seat; null if nobody may use it.
    pub(super) fn key(&self, player: &Value) -> &Value {
        &self.keys[player.to_string().as_str()]
    }

    /// The keys of all seats of people.
    pub(super) fn all_keys(&self) -> Value {
        self.keys.as_object().map_or(json!([]), |keys| keys.values().cloned().collect())
    }

    /// Adopts a view that answered a change: steps may have been added or taken back.
    pub(super) fn adopt(&mut self, view: &Value) {
        self.history = joints(view);
        self.chosen = chosen(view);
        self.resigned = view["resigned"].clone();
        self.unanswered = false;
    }

    /// Checks a view that answered no change: nothing that was known may be missing, and where only people play,
    /// nothing may have been added.
    pub(super) fn compare(&mut self, view: &Value) -> Result<(), Fault> {
        let found = joints(view);
        let same_start = found.len() >= self.history.len() && found[..self.history.len()] == self.history[..];
        let fixed = self.people_only && !self.unanswered;
        let unchanged =
            found.len() == self.history.len() && chosen(view) == self.chosen && view["resigned"] == self.resigned;
        if !same_start || (fixed && !unchanged) {
            return Err(Fault::new(format!(
                "match {} of {} was {} (chosen {}, resigned {}) and became {} (chosen {}, resigned {})",
                self.id,
                self.request["game"],
                json!(self.history),
                json!(self.chosen),
                self.resigned,
                json!(found),
                json!(chosen(view)),
                view["resigned"],
            )));
        }
        self.adopt(view);
        Ok(())
    }

    /// The actions of every step.
    pub(super) fn history(&self) -> &[Value] {
        &self.history
    }
}

/// The actions of every step of a view.
pub(super) fn joints(view: &Value) -> Vec<Value> {
    let steps = view["history"].as_array().map_or(&[][..], Vec::as_slice);
    steps.iter().map(|step| step["joint"].clone()).collect()
}

/// The players who have chosen for the next step.
fn chosen(view: &Value) -> Vec<Value> {
    let legal = view["legal"].as_array().map_or(&[][..], Vec::as_slice);
    legal.iter().filter(|player| player["chosen"] == true).map(|player| player["player"].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(joints: &[&str]) -> Value {
        let history: Vec<Value> = joints.iter().map(|action| json!({ "joint": [action] })).collect();
        json!({ "history": history, "legal": [{ "player": 0, "chosen": false }], "resigned": null })
    }

    fn known(seats: Value) -> KnownMatch {
        let request = json!({ "game": "tic-tac-toe", "seats": seats });
        let mut known = KnownMatch::new(request, &json!({ "id": "m", "keys": { "0": "k" } })).unwrap();
        known.adopt(&view(&["b2", "a1"]));
        known
    }

    #[test]
    fn lost_changed_and_invented_steps_are_faults() {
        let people = || known(json!([{ "person": "a" }, { "person": "b" }]));
        assert!(people().compare(&view(&["b2", "a1"])).is_ok());
        assert!(people().compare(&view(&["b2"])).is_err(), "a step is lost");
        assert!(people().compare(&view(&["b2", "c1"])).is_err(), "a step has changed");
        assert!(people().compare(&view(&["b2", "a1", "c3"])).is_err(), "nobody made that step");
        let mut choice = view(&["b2", "a1"]);
        choice["legal"][0]["chosen"] = json!(true);
        assert!(people().compare(&choice).is_err(), "nobody chose");
    }

    #[test]
    fn agents_and_unanswered_requests_add_steps() {
        let longer = view(&["b2", "a1", "c3"]);
        assert!(known(json!([{ "person": "a" }, { "agent": "mc" }])).compare(&longer).is_ok());
        let mut unanswered = known(json!([{ "person": "a" }, { "person": "b" }]));
        unanswered.unanswered = true;
        assert!(unanswered.compare(&longer).is_ok());
        assert_eq!((unanswered.history().len(), unanswered.unanswered), (3, false));
    }
}
