"""Plays whole matches of each class of games through the reference client of the Model Context Protocol.

Usage: client.py TESUJI [URL]. Without a URL the server is started on standard input and output. Prints one line a
match; any difference from what is expected is an error.
"""

import asyncio
import base64
import json
import random
import sys

from mcp import Client, StdioServerParameters

# Game, seats, class. Every other seat is an agent or another client.
MATCHES = [
    ("tic-tac-toe", ["client", "uct"], "alternating"),
    ("tic-tac-toe", ["client", "client"], "two clients"),
    ("connect-four(4,5,3)", ["random", "client"], "alternating, second seat"),
    ("tubstap(map=one-blow)", ["client", "dlmc"], "turns of many actions"),
    ("pig(15)", ["client", "uct"], "dice"),
    ("einstein", ["client", "client"], "dice, two clients"),
    ("goofspiel(4)", ["client", "sm-mc"], "simultaneous with chance"),
    ("sync-domineering(4,4)", ["client", "client"], "simultaneous, two clients"),
    ("gdl(rock-paper-scissors)", ["client", "random"], "a rule sheet"),
    ("gdl(tic-tac-toe)", ["client", "mc"], "a rule sheet, alternating"),
    ("matrix(stag-hunt)", ["client", "client"], "general sum"),
]


async def call(client, tool, **arguments):
    """Calls a tool that must succeed; the structured answer equals the text."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, (tool, arguments, result.content)
    texts = [json.loads(block.text) for block in result.content if block.type == "text" and block.text[:1] == "{"]
    assert result.structured_content in texts, (tool, result)
    return result.structured_content


async def refused(client, tool, **arguments):
    """Calls a tool that must refuse; returns why."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, (tool, arguments, result)
    return result.content[0].text


async def play(client, game, seats, rng):
    """Plays a match at random and checks what clients see on the way."""
    position = await call(client, "start_match", game=game, seats=seats, budget="20", seed=rng.randrange(2**40))
    number, keys, refusals = position["match"], position["keys"], 0
    assert len(keys) == seats.count("client"), position
    assert "seed" not in position or position["over"], "the seed would reveal chance"
    while not position["over"]:
        movers = [player for player in position["waiting_for"] if player in keys]
        assert movers, position
        for player in movers:
            before = await call(client, "show", match=number, key=keys[player])
            assert before["your_turn"] and before["legal_actions"], before
            if rng.random() < 0.3:
                why = await refused(client, "act", match=number, key=keys[player], action="no such action")
                assert "not a legal action" in why, why
                refusals += 1
            action = rng.choice(before["legal_actions"])
            position = await call(client, "act", match=number, key=keys[player], action=action)
            if len(movers) > 1 and player != movers[-1] and position["step"] == before["step"]:
                # Others still choose: nobody may see this choice.
                shown = await call(client, "show", match=number)
                for watched in [position, shown, await call(client, "replay", match=number)]:
                    assert watched["step"] == before["step"] and watched["state"] == before["state"], watched
                    assert watched.get("last_step") == before.get("last_step") or "steps" in watched, watched
                assert player not in position["waiting_for"], position
                why = await refused(client, "act", match=number, key=keys[player], action=action)
                assert "not to choose" in why, why
    assert len(position["payoffs"]) == len(seats) and position["ending"] == "by the rules", position
    assert "seed" in position
    replayed = await call(client, "replay", match=number, step=0)
    assert len(replayed["steps"]) == position["step"] and replayed["payoffs"] == position["payoffs"]
    assert "over" in await refused(client, "act", match=number, key=next(iter(keys.values())), action="x")
    return position, refusals


async def session(client):
    """Everything that the server offers."""
    tools = {tool.name for tool in (await client.list_tools()).tools}
    expected = {"list_games", "rules", "list_agents", "start_match", "show", "act", "resign", "analyse", "replay"}
    assert expected | {"list_matches", "statistics"} == tools, tools
    games = (await call(client, "list_games"))["games"]
    assert len(games) > 10 and {"name", "summary", "parameters", "examples"} <= games[0].keys(), games[0]
    rules = await call(client, "rules", game="tic-tac-toe")
    assert "three\nmarks in a row" in rules["rules"], rules
    sheet = await call(client, "rules", game="gdl(tic-tac-toe)")
    assert "(role " in sheet["sheet"], sheet
    agents = {agent["name"] for agent in (await call(client, "list_agents", game="goofspiel(4)"))["agents"]}
    assert "sm-mc" in agents and not agents & {"process", "llm", "outside"}, agents

    rng = random.Random(1)
    refusals = 0
    for game, seats, kind in MATCHES:
        position, refused_acts = await play(client, game, seats, rng)
        refusals += refused_acts
        print(f"{kind}: {game}, {position['step']} steps, payoffs {position['payoffs']}")
    counted = (await call(client, "statistics"))["results"]
    assert sum(group["matches"] for group in counted) == len(MATCHES), counted
    assert sum(seat["refused_acts"] for group in counted for seat in group["seats"]) == refusals, counted

    # Pictures, analysis, withheld actions, retries, resignation.
    started = await call(client, "start_match", game="tic-tac-toe", seats=["client", "uct"], budget="20")
    shown = await client.call_tool("show", {"match": started["match"], "picture": True})
    pictures = [block for block in shown.content if block.type == "image"]
    assert base64.b64decode(pictures[0].data).startswith(b"<svg "), pictures
    analysis = await call(client, "analyse", match=started["match"], agent="uct", budget="200")
    assert len(analysis["candidates"]) == 9 and analysis["action"], analysis
    resigned = await call(client, "resign", match=started["match"])
    assert resigned["over"] and resigned["payoffs"] == [0.0, 1.0], resigned
    seats = ["client", "random"]
    hidden = await call(client, "start_match", game="tic-tac-toe", seats=seats, withhold_legal=True, retries=1)
    assert "legal_actions" not in hidden, hidden
    why = await refused(client, "act", match=hidden["match"], action="d9")
    assert "a1" not in why and "b2" not in why, why
    why = await refused(client, "act", match=hidden["match"], action="d9")
    assert "lost" in why, why
    lost = await call(client, "show", match=hidden["match"])
    assert lost["payoffs"] == [0.0, 1.0] and "forfeited" in lost["ending"], lost
    for agent in ["process(cmd=sh)", "llm(model=x)", "uct(net=/etc/passwd)"]:
        await refused(client, "start_match", game="tic-tac-toe", seats=["client", agent])
    assert "names a file" in await refused(client, "rules", game="gdl(/etc/passwd)")
    assert "key" in await refused(client, "act", match=2, key="wrong", action="a1")
    await refused(client, "show", match=999)
    await refused(client, "start_match", game="tic-tac-toe", seats=["client"])
    await refused(client, "start_match", game="no-such-game", seats=["client", "client"])


async def main():
    server = sys.argv[2] if len(sys.argv) > 2 else StdioServerParameters(command=sys.argv[1], args=["mcp"])
    async with Client(server) as client:
        assert client.server_info.name == "tesuji", client.server_info
        assert "list_games" in client.instructions, client.instructions
        await session(client)
    print("all matches played")


asyncio.run(main())
