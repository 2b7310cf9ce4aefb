//! Random valid rule sheets.
//!
//! Relations come in groups. A group may use itself (recursion) and everything before it; it negates only what comes
//! before it, so every sheet is stratified. Functions in heads take their variables from conditions that do not depend
//! on the state, so terms do not grow without end, except in a few sheets that the network cannot take.

use tesuji_core::Rng;

use super::sheet::{Atom, Formula, RandomSheet, Rule, Term};

const CONSTANTS: [&str; 6] = ["a", "b", "c", "1", "2", "3"];
const ROLES: [&str; 4] = ["red", "blue", "green", "random"];
const GIVEN: [&str; 4] = ["given0", "given1", "given2", "given3"];
const FLUENTS: [&str; 4] = ["p", "q", "r", "s"];
const MOVES: [&str; 3] = ["go", "put", "swap"];
const DERIVED: [&str; 14] = ["d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "d10", "d11", "d12", "d13"];
const GOALS: [&str; 4] = ["0", "25", "50", "100"];

/// Variables of a rule: `?u` to `?z`.
const VARIABLES: usize = 6;

/// What a relation depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Static,
    State,
    Step,
}

#[derive(Clone, Copy)]
struct Relation {
    name: &'static str,
    arity: usize,
    level: Level,
    group: usize,
    /// The function that a column mostly holds, so that heads and conditions fit each other.
    kinds: [Option<Kind>; 3],
}

/// A function by name and number of arguments.
type Kind = (&'static str, usize);

const NO_KINDS: [Option<Kind>; 3] = [None; 3];

/// The sheet of a seed.
pub(crate) fn random_sheet(seed: u64) -> RandomSheet {
    let mut rng = Rng::new(seed);
    let roles = 1 + rng.weighted([3.0, 5.0, 2.0].into_iter());
    let mut roles: Vec<&'static str> = ROLES[..roles].to_vec();
    if rng.chance(0.15) {
        let last = roles.len() - 1;
        roles[last] = ROLES[3];
    }
    let fluents = (0..2 + rng.below(3)).map(|index| (FLUENTS[index], rng.below(3 + usize::from(index == 0))));
    let fluents: Vec<(&'static str, usize)> = fluents.collect();
    let moves: Vec<(&'static str, usize)> =
        MOVES[..1 + rng.below(3)].iter().map(|&name| (name, rng.below(3))).collect();
    let grows = rng.chance(0.04);
    let constants = 2 + rng.below(4);
    let mut writer = Writer { rng, roles, fluents, moves, grows, constants, relations: Vec::new(), rules: Vec::new() };
    writer.given();
    writer.initial();
    writer.groups();
    RandomSheet { roles: writer.roles, rules: writer.rules }
}

struct Writer {
    rng: Rng,
    roles: Vec<&'static str>,
    fluents: Vec<(&'static str, usize)>,
    moves: Vec<(&'static str, usize)>,
    /// May terms grow from state to state?
    grows: bool,
    /// How many constants the sheet uses.
    constants: usize,
    /// All relations written so far and those of the current group.
    relations: Vec<Relation>,
    rules: Vec<Rule>,
}

/// The body of a rule under construction.
#[derive(Default)]
struct Body {
    conditions: Vec<Formula>,
    /// Variables that a positive condition binds.
    bound: Vec<u8>,
    /// Of these, variables bound by a condition outside of the rule's own group.
    outside: Vec<u8>,
    /// Of these, variables bound by a condition that does not depend on the state.
    fixed: Vec<u8>,
    /// Variables that are columns of a condition of the rule's own group.
    recursive: Vec<u8>,
    /// Variables inside the functions of such a condition.
    nested: Vec<u8>,
}

fn add(list: &mut Vec<u8>, variables: &[u8]) {
    for variable in variables {
        if !list.contains(variable) {
            list.push(*variable);
        }
    }
}

fn variables_of(atom: &Atom) -> Vec<u8> {
    let mut found = Vec::new();
    atom.variables(&mut |variable| add(&mut found, &[variable]));
    found
}

impl Writer {
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.rng.below(items.len())]
    }

    fn constant(&mut self) -> Term {
        if self.rng.chance(0.05) {
            return Term::Constant(self.roles[0]);
        }
        Term::Constant(CONSTANTS[self.rng.below(self.constants)])
    }

    /// A function of terms that `argument` makes.
    fn function(&mut self, mut argument: impl FnMut(&mut Writer) -> Term) -> Term {
        match self.rng.below(3) {
            0 | 1 => Term::function("f", vec![argument(self)]),
            _ => Term::function("g", vec![argument(self), argument(self)]),
        }
    }

    fn ground(&mut self) -> Term {
        match self.rng.below(10) {
            0 => self.function(|writer| writer.constant()),
            1 if self.rng.chance(0.2) => self.function(|writer| writer.function(|writer| writer.constant())),
            _ => self.constant(),
        }
    }

    /// Relations of which all rows are written down. The first has one column, so any variable can be bound by it.
    fn given(&mut self) {
        let count = 2 + self.rng.below(3);
        for (index, name) in GIVEN.into_iter().enumerate().take(count) {
            let arity = if index == 0 { 1 } else { 1 + self.rng.below(3) };
            self.relations.push(Relation { name, arity, level: Level::Static, group: 0, kinds: NO_KINDS });
            for _ in 0..2 + self.rng.below(5) {
                let arguments = (0..arity).map(|_| self.ground()).collect();
                self.rules.push(Rule { head: Atom { relation: name, arguments }, body: Vec::new() });
            }
        }
    }

    fn initial(&mut self) {
        for (name, arity) in self.fluents.clone() {
            for _ in 0..1 + self.rng.below(3) {
                let arguments = (0..arity).map(|_| self.ground()).collect();
                let arguments = vec![Term::function(name, arguments)];
                self.rules.push(Rule { head: Atom { relation: "init", arguments }, body: Vec::new() });
            }
        }
        if self.rng.chance(0.3) {
            self.relations.push(Relation { name: "init", arity: 1, level: Level::Static, group: 1, kinds: NO_KINDS });
            self.rule(*self.relations.last().expect("just added"));
        }
        self.relations.retain(|relation| relation.name != "init");
    }

    /// All relations with rules, in groups.
    fn groups(&mut self) {
        // Where `legal`, `goal` and `terminal` stand among the relations of states; what comes later may use them.
        let mut state: Vec<&'static str> = vec!["legal", "goal", "terminal"];
        state.extend(["", "", "", ""][..1 + self.rng.below(4)].iter());
        self.rng.shuffle(&mut state);
        let fixed = ["", ""][..self.rng.below(3)].iter().map(|&name| (Level::Static, name));
        let state = state.into_iter().map(|name| (Level::State, name));
        let steps = ["", "", "next"][self.rng.below(3)..].iter().map(|&name| (Level::Step, name));
        let plan: Vec<(Level, &'static str)> = fixed.chain(state).chain(steps).collect();
        let mut names = DERIVED.into_iter();
        for (number, (level, name)) in plan.into_iter().enumerate() {
            let group = number + 2;
            let mut members = Vec::new();
            let arity = match name {
                "legal" | "goal" => 2,
                "next" => 1,
                _ => 0,
            };
            if name.is_empty() {
                let size = 1 + self.rng.weighted([6.0, 3.0, 2.0, 1.0].into_iter());
                for name in names.by_ref().take(size) {
                    let arity = self.rng.weighted([1.0, 4.0, 4.0, 1.0].into_iter());
                    let kinds = std::array::from_fn(|_| match self.rng.below(8) {
                        0 => Some(("f", 1)),
                        1 => Some(("g", 2)),
                        _ => None,
                    });
                    members.push(Relation { name, arity, level, group, kinds });
                }
            } else {
                members.push(Relation { name, arity, level, group, kinds: NO_KINDS });
            }
            self.relations.extend(&members);
            for &member in &members {
                let rules = match member.name {
                    "next" => 3 + self.rng.below(5),
                    "terminal" => 1,
                    "legal" => 1 + self.rng.below(4),
                    _ => 1 + self.rng.below(3),
                };
                (0..rules).for_each(|_| self.rule(member));
                if name.is_empty() && self.rng.chance(0.4) {
                    self.copy(member, &members);
                }
                if member.name == "legal" && self.rng.chance(0.8) {
                    let player = Term::Variable(0);
                    let body = vec![Formula::Holds(Atom { relation: "role", arguments: vec![player.clone()] })];
                    let arguments = vec![player, Term::Constant("noop")];
                    self.rules.push(Rule { head: Atom { relation: "legal", arguments }, body });
                }
            }
        }
        // What roles perceive, also of the state to come.
        if self.rng.chance(0.3) {
            let group = 2 + self.relations.len();
            let sees = Relation { name: "sees", arity: 2, level: Level::Step, group, kinds: NO_KINDS };
            (0..1 + self.rng.below(3)).for_each(|_| self.rule(sees));
        }
    }

    /// The pattern of a positive condition's column.
    fn pattern(&mut self) -> Term {
        let variable = |writer: &mut Writer| Term::Variable(writer.rng.below(VARIABLES) as u8);
        match self.rng.below(20) {
            0..=13 => variable(self),
            14..=17 => self.ground(),
            _ => self.function(|writer| if writer.rng.chance(0.7) { variable(writer) } else { writer.constant() }),
        }
    }

    /// A term of variables that have values.
    fn value(&mut self, bound: &[u8]) -> Term {
        match self.rng.below(10) {
            0..=6 if !bound.is_empty() => Term::Variable(self.pick(bound)),
            7 if !bound.is_empty() => self.function(|writer| {
                if writer.rng.chance(0.7) { Term::Variable(writer.pick(bound)) } else { writer.constant() }
            }),
            _ => self.ground(),
        }
    }

    /// A variable that has a value, or a constant.
    fn simple(&mut self, bound: &[u8]) -> Term {
        if !bound.is_empty() && self.rng.chance(0.8) { Term::Variable(self.pick(bound)) } else { self.constant() }
    }

    /// The relation of a condition: nothing behind `level`, and the own group only if `own`.
    fn relation(&mut self, level: Level, group: usize, own: bool) -> Relation {
        let usable = |relation: &&Relation| {
            relation.level <= level && (relation.group < group || own && !matches!(relation.name, "init" | "next"))
        };
        let candidates: Vec<Relation> = self.relations.iter().filter(usable).copied().collect();
        let fluent = Relation { name: "true", arity: 1, level: Level::State, group: 0, kinds: NO_KINDS };
        let does = Relation { name: "does", arity: 2, level: Level::Step, group: 0, kinds: NO_KINDS };
        let role = Relation { name: "role", arity: 1, level: Level::Static, group: 0, kinds: NO_KINDS };
        match self.rng.below(10) {
            0..=3 if level >= Level::State => fluent,
            4..=5 if level == Level::Step => does,
            6 if self.rng.chance(0.3) => role,
            // Later relations more often: they are the interesting ones.
            7 | 8 if candidates.len() > 4 => candidates[candidates.len() - 1 - self.rng.below(4)],
            _ => self.pick(&candidates),
        }
    }

    /// The columns of a condition or head, each from `term`; facts and moves mostly with their own names, and functions
    /// that a column mostly holds with arguments from `argument`.
    fn columns(
        &mut self,
        relation: Relation,
        mut term: impl FnMut(&mut Writer) -> Term,
        mut argument: impl FnMut(&mut Writer) -> Term,
    ) -> Vec<Term> {
        let whole = self.rng.chance(0.04);
        match relation.name {
            "true" | "next" | "init" if !whole => {
                let (name, arity) = self.rng_fluent();
                vec![Term::function(name, (0..arity).map(|_| term(self)).collect())]
            }
            "does" | "legal" => {
                let role = match self.rng.below(10) {
                    0..=5 => Term::Constant(self.roles[self.rng.below(self.roles.len())]),
                    _ => term(self),
                };
                let action = match self.rng.below(10) {
                    0 => Term::Constant("noop"),
                    1 if whole || self.rng.chance(0.3) => term(self),
                    _ => {
                        let (name, arity) = self.moves[self.rng.below(self.moves.len())];
                        Term::function(name, (0..arity).map(|_| term(self)).collect())
                    }
                };
                vec![role, action]
            }
            "sees" => vec![Term::Constant(self.roles[self.rng.below(self.roles.len())]), term(self)],
            "goal" => {
                let role = Term::Constant(self.roles[self.rng.below(self.roles.len())]);
                vec![role, if self.rng.chance(0.8) { Term::Constant(self.pick(&GOALS)) } else { term(self) }]
            }
            _ => {
                let column = |column: usize| match relation.kinds.get(column).copied().flatten() {
                    Some((name, arity)) if self.rng.chance(0.7) => {
                        Term::function(name, (0..arity).map(|_| argument(self)).collect())
                    }
                    _ => term(self),
                };
                (0..relation.arity).map(column).collect()
            }
        }
    }

    /// A rule of nothing but another relation of the group: such rules make circles.
    fn copy(&mut self, target: Relation, members: &[Relation]) {
        let other = self.pick(members);
        let columns = (0..target.arity as u8).map(Term::Variable).collect();
        let body = (0..other.arity).map(|_| match target.arity {
            0 => self.constant(),
            arity => Term::Variable(self.rng.below(arity) as u8),
        });
        let mut conditions = vec![Formula::Holds(Atom { relation: other.name, arguments: body.collect() })];
        let head = Atom { relation: target.name, arguments: columns };
        let missing: Vec<u8> = variables_of(&head);
        let Formula::Holds(used) = &conditions[0] else { return };
        let used = variables_of(used);
        for variable in missing.into_iter().filter(|variable| !used.contains(variable)) {
            conditions.push(Formula::Holds(Atom { relation: GIVEN[0], arguments: vec![Term::Variable(variable)] }));
        }
        self.rng.shuffle(&mut conditions);
        self.rules.push(Rule { head, body: conditions });
    }

    fn rng_fluent(&mut self) -> (&'static str, usize) {
        self.fluents[self.rng.below(self.fluents.len())]
    }

    /// A positive condition that may bind variables.
    fn binding(&mut self, target: Relation, body: &mut Body) {
        let recursive = self.rng.chance(0.5);
        let relation = self.relation(target.level, target.group, recursive);
        let own = relation.group == target.group;
        let arguments = self.columns(relation, Writer::pattern, |writer| match writer.rng.below(5) {
            0 => writer.constant(),
            _ => Term::Variable(writer.rng.below(VARIABLES) as u8),
        });
        let atom = Atom { relation: relation.name, arguments };
        let variables = variables_of(&atom);
        let either = !variables.is_empty() && self.rng.chance(0.08);
        add(&mut body.bound, &variables);
        if own {
            for argument in &atom.arguments {
                let list = if matches!(argument, Term::Variable(_)) { &mut body.recursive } else { &mut body.nested };
                argument.variables(&mut |variable| add(list, &[variable]));
            }
        } else {
            add(&mut body.outside, &variables);
        }
        if !own && relation.level == Level::Static && !either {
            add(&mut body.fixed, &variables);
        }
        if either {
            // Another way to bind the same variables.
            let mut parts: Vec<Formula> = variables
                .iter()
                .map(|&variable| {
                    let arguments = vec![Term::Variable(variable)];
                    Formula::Holds(Atom { relation: GIVEN[0], arguments })
                })
                .collect();
            let other = if parts.len() == 1 { parts.remove(0) } else { Formula::And(parts) };
            let mut either = vec![Formula::Holds(atom), other];
            self.rng.shuffle(&mut either);
            body.conditions.push(Formula::Or(either));
        } else {
            body.conditions.push(Formula::Holds(atom));
        }
    }

    /// A condition on variables that have values.
    fn filter(&mut self, target: Relation, bound: &[u8], depth: usize) -> Formula {
        match self.rng.below(if depth == 0 { 7 } else { 10 }) {
            0 | 1 if !bound.is_empty() => {
                let left = Term::Variable(self.pick(bound));
                let distinct = Formula::Distinct(left, self.value(bound));
                if self.rng.chance(0.2) { Formula::Not(Box::new(distinct)) } else { distinct }
            }
            7 => Formula::Or((0..2 + self.rng.below(2)).map(|_| self.filter(target, bound, depth - 1)).collect()),
            8 => Formula::And((0..2).map(|_| self.filter(target, bound, depth - 1)).collect()),
            9 => {
                let parts = (0..2).map(|_| self.filter(target, bound, depth - 1)).collect();
                let inner = if self.rng.chance(0.5) { Formula::Or(parts) } else { Formula::And(parts) };
                Formula::Not(Box::new(inner))
            }
            number => {
                let relation = self.relation(target.level, target.group, false);
                let arguments = self.columns(relation, |writer| writer.value(bound), |writer| writer.simple(bound));
                let holds = Formula::Holds(Atom { relation: relation.name, arguments });
                if number < 3 { holds } else { Formula::Not(Box::new(holds)) }
            }
        }
    }

    fn rule(&mut self, target: Relation) {
        let mut body = Body::default();
        if target.kinds.iter().any(Option::is_some) && self.rng.chance(0.6) {
            // The variable of a function in the head.
            let arguments = vec![Term::Variable(0)];
            body.conditions.push(Formula::Holds(Atom { relation: GIVEN[0], arguments }));
            [&mut body.bound, &mut body.outside, &mut body.fixed].into_iter().for_each(|list| add(list, &[0]));
        }
        for _ in 0..1 + self.rng.weighted([4.0, 4.0, 2.0].into_iter()) {
            self.binding(target, &mut body);
        }
        let head = self.head(target, &body);
        // GDL's restriction of recursion: a term of a recursive condition stands in the head or outside.
        let mut loose = body.recursive.clone();
        loose.retain(|&variable| !head.arguments.contains(&Term::Variable(variable)));
        add(&mut loose, &body.nested);
        for variable in loose {
            if !body.outside.contains(&variable) {
                let arguments = vec![Term::Variable(variable)];
                body.conditions.push(Formula::Holds(Atom { relation: GIVEN[0], arguments }));
            }
        }
        let filters = self.rng.weighted([4.0, 4.0, 2.0].into_iter()) + usize::from(target.name == "terminal");
        for _ in 0..filters {
            let filter = self.filter(target, &body.bound, 1);
            body.conditions.push(filter);
        }
        self.rng.shuffle(&mut body.conditions);
        self.rules.push(Rule { head, body: body.conditions });
    }

    fn head(&mut self, target: Relation, body: &Body) -> Atom {
        let inner = if self.grows { body.outside.clone() } else { body.fixed.clone() };
        let term = |writer: &mut Writer| match writer.rng.below(10) {
            0..=6 if !body.bound.is_empty() => Term::Variable(writer.pick(&body.bound)),
            7 | 8 if !inner.is_empty() => writer.function(|writer| {
                if writer.rng.chance(0.8) { Term::Variable(writer.pick(&inner)) } else { writer.constant() }
            }),
            _ => writer.ground(),
        };
        let mut arguments = self.columns(target, term, |writer| writer.simple(&inner));
        if target.name == "goal" {
            arguments[1] = Term::Constant(self.pick(&GOALS));
        }
        // Roles other than those of the sheet would only make work.
        if target.name == "legal" && matches!(arguments[0], Term::Constant(_) | Term::Function(..)) {
            arguments[0] = Term::Constant(self.roles[self.rng.below(self.roles.len())]);
        }
        Atom { relation: target.name, arguments }
    }
}
