//! Small games with known answers, for the tests of agents.
