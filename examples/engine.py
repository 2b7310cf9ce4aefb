#!/usr/bin/env python3
"""A player for any game, in forty lines: it takes a legal action at random.

Run it in a match:  tesuji match tic-tac-toe 'process(cmd="python3 examples/engine.py")' uct
Examine it:         tesuji engine-check "python3 examples/engine.py"
Every message is described in docs/protocols/engine.md.
"""
import json
import random
import sys
import time

legal = []  # what our player may do in the position told last


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    order = json.loads(line)
    kind, match = order["type"], order.get("id")
    if kind == "hello":
        say(type="hello", protocol=1, name="forty lines of Python", version="1", keep=True)
    elif kind == "match":
        # order["game"], order["players"], order["player"] and perhaps order["rules"] say what is played.
        say(type="ready", id=match)
    elif kind == "position":
        legal = order["legal"]  # order["steps"] holds all actions so far, order["state"] the state as text
    elif kind == "prepare":
        say(type="prepared", id=match)
    elif kind == "go":
        begun = time.monotonic()  # order["budget"] says what may be spent: playouts, nodes, seconds
        action = random.Random(order["seed"]).choice(legal)
        say(type="best", id=match, action=action, seconds=time.monotonic() - begun)
    elif kind == "quit":
        break
    # "stop" asks for the answer to "go" at once, which has been given; "end" says that the match is over.
