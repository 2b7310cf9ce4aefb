"""Solve a game with simultaneous moves, and compare with OpenSpiel's CFR."""

import pyspiel
import tesuji
import tesuji.openspiel  # registers the games with OpenSpiel
from open_spiel.python.algorithms import cfr, exploitability
from open_spiel.python.algorithms.expected_game_score import policy_value

exact = tesuji.solve("goofspiel(3,descending)")
print(f"Tesuji: value {exact['value']:.4f} in {exact['seconds'] * 1000:.1f} ms, strategy {exact['strategy']['first']}")

game = pyspiel.convert_to_turn_based(pyspiel.load_game("tesuji_goofspiel(cards=3,prizes=descending)"))
solver = cfr.CFRPlusSolver(game)
for _ in range(200):
    solver.evaluate_and_update_policy()
average = solver.average_policy()
value = policy_value(game.new_initial_state(), [average, average])[0]
print(f"OpenSpiel's CFR+: value {value:.4f}, exploitability {exploitability.exploitability(game, average):.1e}")
assert abs(value - exact["value"]) < 1e-3
