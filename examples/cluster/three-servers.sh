#!/usr/bin/env bash
# Three NATS servers as a cluster on this machine. Everything is kept on all three (`--replicas 3`): one of them is killed
# while an experiment runs, and the summary is that of one machine.
#   examples/cluster/three-servers.sh [EXPERIMENT]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
experiment=${1:-"$here/match.toml"}
tesuji=${TESUJI:-tesuji}
base=${PORT:-4222}
data=$(mktemp -d)
trap 'kill -9 $(jobs -p) 2>/dev/null; wait 2>/dev/null; rm -rf "$data"' EXIT
server=$("$here/get-nats-server")
routes="[\"nats://127.0.0.1:$((base + 10))\", \"nats://127.0.0.1:$((base + 11))\", \"nats://127.0.0.1:$((base + 12))\"]"
servers=()
for number in 0 1 2; do
  NAME="n$number" PORT=$((base + number)) ROUTE_PORT=$((base + 10 + number)) DATA="\"$data/$number\"" ROUTES="$routes" \
    "$server" --config "$here/cluster.conf" --addr 127.0.0.1 2>"$data/$number.log" &
  servers[number]=$!
done
url="nats://127.0.0.1:$base,nats://127.0.0.1:$((base + 1)),nats://127.0.0.1:$((base + 2))"
# The servers choose a leader first.
for _ in $(seq 50); do
  "$tesuji" --quiet queue status "$url" >/dev/null 2>&1 && break
  sleep 0.3
done
"$tesuji" work "$url" --name here &
"$tesuji" run "$experiment" --store "$data/match.db" --queue "$url" --replicas 3 --json >"$data/queue.json" &
collector=$!
# In the middle: the first results are there.
for _ in $(seq 300); do
  "$tesuji" --quiet queue status "$url" --json 2>/dev/null | grep -q '"done":[1-9]' && break
  sleep 0.2
done
sleep "${KILL_AFTER:-0}"
echo "killing one of three servers" >&2
kill -9 "${servers[1]}"
wait "$collector"
"$tesuji" run "$experiment" --store "$data/alone.db" --json >"$data/alone.json"
cmp "$data/queue.json" "$data/alone.json" && echo "the summary is that of one machine"
