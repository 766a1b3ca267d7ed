#!/bin/sh
# Repeats everything that MEASURED.md tells, on a machine with an NVIDIA card:
#
#   measure.sh OUT MODEL    MODEL is the GGUF file; results go into the folder OUT
#
# Needs fabula built with TensorRT (make build TENSORRT_INCLUDE=…) as FABULA, else
# bin/fabula, and TENSORRT_ROOT or a TensorRT that the loader finds. Where KERNELS and
# FAMILIES name the test programs of the tags `tensorrt device`
#   go test -c -tags 'llama tensorrt device' -o NAME ./engine/tensorrt/bridge   (or ./engine/tensorrt)
# every kernel is held against a plain computation before anything is timed, and small
# plans of all families against the interpreter. With torch and transformers in python3
# the same shapes are timed there. Without its own steps named after MODEL it does all:
#   kernels families build measure tiny phi torch bench say gather
# A step that fails is told and the others go on; the exit is then 1.
set -u
out=${1:?usage: measure.sh OUT MODEL [STEP...]} model=${2:?usage: measure.sh OUT MODEL [STEP...]}
shift 2
here=$(cd "$(dirname "$0")" && pwd)
fabula=${FABULA:-$here/../../bin/fabula}
[ $# -gt 0 ] || set -- kernels families build measure tiny phi torch bench say gather
mkdir -p "$out"
failed=0

# log names the file of a step's messages.
log() { echo "$out/$1.log"; }

kernels() { [ -z "${KERNELS:-}" ] || "$KERNELS" -test.v >"$(log kernels)" 2>&1; }
families() { [ -z "${FAMILIES:-}" ] || "$FAMILIES" -test.run OnACard -test.v >"$(log families)" 2>&1; }
build() { "$fabula" engines build "$model" --context 4096 --batch 64 --json >"$out/plan.json" 2>"$(log build)"; }
measure() { "$fabula" engines measure "$model" --slots 64 --against --cancels 200 --cycles 25 --out "$out/10-model.json" 2>"$(log measure)"; }
tiny() { "$fabula" engines measure --shape tiny --steps 50 --cycles 1000 --cancels 200 --out "$out/30-tiny.json" >"$(log tiny)" 2>&1; }
phi() { "$fabula" engines measure --shape phi3-mini --steps 100 --slots 32 --batch 32 --out "$out/20-phi3-mini.json" 2>"$(log phi)"; }
torch() {
	python3 -c 'import torch, transformers' 2>/dev/null || return 0
	python3 "$here/testdata/torch_baseline.py" "$out/torch.json" 2>"$(log torch)"
}
bench() { "$fabula" bench --engine tensorrt --json --sizes 64,1024 --replies 10 >"$out/bench.json" 2>"$(log bench)"; }
say() {
	(cd "$here/../../worlds" && "$fabula" say fox_lantern laozhou "Who lit the lamp?" --free --engine tensorrt --seed 7 --json) >"$out/turns.jsonl" 2>"$(log say)" &&
		(cd "$here/../../worlds" && "$fabula" say fox_lantern laozhou "Is anyone else in the house?" --free --engine tensorrt --seed 8 --json) >>"$out/turns.jsonl" 2>>"$(log say)"
}
gather() { "$fabula" engines measured --gather "$out" "$out/MEASURED.json" >"$out/MEASURED.md" 2>"$(log gather)"; }

for step; do
	start=$(date +%s)
	if $step; then
		echo "$step: $(($(date +%s) - start)) s"
	else
		echo "$step: FAILED after $(($(date +%s) - start)) s, see $(log "$step")" >&2
		failed=1
	fi
done
exit $failed
