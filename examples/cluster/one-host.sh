#!/usr/bin/env bash
# A queue on this machine: server, worker and collector. The summary is that of `tesuji run match.toml`.
#   examples/cluster/one-host.sh [EXPERIMENT]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
experiment=${1:-"$here/match.toml"}
tesuji=${TESUJI:-tesuji}
port=${PORT:-4222}
data=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$data"' EXIT
"$("$here/get-nats-server")" --jetstream --addr 127.0.0.1 --port "$port" --store_dir "$data" 2>"$data/server.log" &
sleep 1
"$tesuji" work "nats://127.0.0.1:$port" --name here &
"$tesuji" run "$experiment" --store "$data/match.db" --queue "nats://127.0.0.1:$port"
"$tesuji" queue status "nats://127.0.0.1:$port"
