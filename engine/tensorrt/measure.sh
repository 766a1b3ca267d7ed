#!/bin/sh
# Repeats everything that MEASURED.md tells, on a machine with an NVIDIA card:
#
#   measure.sh OUT MODEL [STEP...]    MODEL is the GGUF file; results go into the folder OUT
#
# Needs fabula built with TensorRT (make build TENSORRT_INCLUDE=…) as FABULA, else
# bin/fabula, and TENSORRT_ROOT or a TensorRT that the loader finds. For a machine that
# takes files in pieces only, PARTS names a folder of nv.NN and br.NN, the library and
# its builder resource, compressed and cut, of model.NN, and of bin/zstd: they are put
# together first, as TENSORRT_ROOT and MODEL. Where KERNELS and FAMILIES name the test
# programs of the tags `llama tensorrt device`
#   go test -c -tags 'llama tensorrt device' -o NAME ./engine/tensorrt/bridge   (or ./engine/tensorrt)
# every kernel is held against a plain computation before anything is timed, small plans
# of all families against the interpreter, and scores against single tokens. With torch
# and transformers in python3 the same shapes are timed there; with LLAMA_CPP_DIR, a
# llama.cpp checkout, and nvcc its CUDA backend is built and timed on the same model.
# CALIBRATION names a calibration set (fabula calibrate) for the engines of eight bits that
# need one, RANDOM_SET another of random text to hold it against; without CALIBRATION only the
# schemes that need none are built. Where FAKE is set every call of the program is told and
# not made, so that the order can be tried on a machine without a card.
# Without its own steps named after MODEL it does all:
steps='unpack doctor kernels families build engines bench say measure phi torch llama score ladder eight phi8 cycles tiny gather'
# A step that fails is told and the others go on; the exit is then 1.
set -u
out=${1:?usage: measure.sh OUT MODEL [STEP...]} model=${2:?usage: measure.sh OUT MODEL [STEP...]}
shift 2
here=$(cd "$(dirname "$0")" && pwd)
fabula=${FABULA:-$here/../../bin/fabula}
[ -z "${FAKE:-}" ] || fabula=told
# shellcheck disable=SC2086 # one step a word is wanted
[ $# -gt 0 ] || set -- $steps
mkdir -p "$out"
data=${XDG_DATA_HOME:-$HOME/.local/share}/fabula
failed=0

# told says what would be run; tools that are no program of ours are left out as where
# they are missing.
told() {
	echo "would run: fabula $*" >&2
	echo "fabula $*" >>"$out/would-run.txt"
	case $* in "engines measured"*) echo "nothing was measured" ;; esac
}

# log names the file of a step's messages.
log() { echo "$out/$1.log"; }

# whole puts the pieces of a library together.
whole() { cat "$PARTS/$1".* | LD_LIBRARY_PATH="$PARTS/bin" "$PARTS/bin/zstd" -dcq --long=27 >"$TENSORRT_ROOT/lib/$2"; }

unpack() {
	if [ -n "${PARTS:-}" ]; then
		mkdir -p "${TENSORRT_ROOT:?is where PARTS are put together}/lib" "$(dirname "$model")"
		[ -s "$model" ] || cat "$PARTS"/model.* >"$model" || return
		whole nv libnvinfer.so.10 && whole br libnvinfer_builder_resource.so.10.6.0 || return
	fi
	[ -e "$data/models/$(basename "$model")" ] || { mkdir -p "$data/models" && ln -s "$(realpath "$model")" "$data/models/"; }
}

doctor() { "$fabula" doctor --json >"$out/doctor.jsonl" 2>"$(log doctor)"; }
kernels() { [ -z "${KERNELS:-}" ] || "$KERNELS" -test.v >"$(log kernels)" 2>&1; }
families() { [ -z "${FAMILIES:-}" ] || LD_LIBRARY_PATH=${TENSORRT_ROOT:-}/lib:${LD_LIBRARY_PATH:-} "$FAMILIES" -test.run FamiliesOnACard -test.v >"$(log families)" 2>&1; }
build() { "$fabula" engines build "$model" --context 4096 --batch 64 --json >"$out/plan.json" 2>"$(log build)"; }
engines() {
	"$fabula" engines list --json >"$out/list.jsonl" 2>"$(log engines)" && "$fabula" engines info --json >"$out/info.jsonl" 2>>"$(log engines)" &&
		"$fabula" engines verify "$model" --json >"$out/verify.json" 2>>"$(log engines)"
}
measure() {
	"$fabula" engines measure "$model" --slots 64 --against --expanded "$out/f16.gguf" --cancels 200 --out "$out/10-model.json" >"$(log measure)" 2>&1
}

# eight builds, compares and times the engines of eight bits beside the usual one.
# Numbers of reports keep their order: 11 to 14 of calibration, 16 of random text.
eight() {
	failures=0
	one 11-weights weights
	one 12-all-dynamic all --int8-dynamic
	if [ -n "${CALIBRATION:-}" ]; then
		one 13-all all --calibration "$CALIBRATION"
		one 13-attention attention --calibration "$CALIBRATION"
		one 14-mlp mlp --calibration "$CALIBRATION"
		one 14-all-but-ends all --calibration "$CALIBRATION" --int8-skip 0,29,head
	fi
	[ -z "${RANDOM_SET:-}" ] || one 16-all-random all --calibration "$RANDOM_SET"
	return $failures
}

# one takes a name for its report, a scheme and options of build.
one() {
	name=$1 scheme=$2
	shift 2
	"$fabula" engines build "$model" --context 4096 --batch 64 --int8 "$scheme" "$@" --json >"$out/$name.plan.json" 2>>"$(log eight)" || failures=1
	plan=$(sed -n 's/.*"file":"\([^"]*\)".*/\1/p' "$out/$name.plan.json")
	FABULA_TENSORRT_PLAN=$plan "$fabula" engines measure "$model" --slots 64 --against --out "$out/$name.json" >>"$(log eight)" 2>&1 || failures=1
	FABULA_TENSORRT_PLAN=$plan "$fabula" bench --engine tensorrt --json --sizes 64,1024 --replies 20 >"$out/bench-$name.json" 2>>"$(log eight)" || failures=1
}

# phi8 times the 3.8B shape: decoding with weights of eight bits is to be 1.5 times as fast.
phi8() {
	for scheme in weights all; do
		"$fabula" engines measure --shape phi3-mini --int8 $scheme --steps 100 --slots 32 --batch 32 --out "$out/21-phi3-mini-int8-$scheme.json" >>"$(log phi8)" 2>&1 || return
	done
}
cycles() { "$fabula" engines measure "$model" --bare --cycles "${CYCLES:-100}" --out "$out/15-model.json" >"$(log cycles)" 2>&1; }
tiny() { "$fabula" engines measure --shape tiny --bare --cycles 1000 --cancels 200 --out "$out/30-tiny.json" >"$(log tiny)" 2>&1; }
phi() { "$fabula" engines measure --shape phi3-mini --steps 100 --slots 32 --batch 32 --out "$out/20-phi3-mini.json" >"$(log phi)" 2>&1; }
torch() {
	python3 -c 'import torch, transformers' 2>/dev/null || return 0
	python3 "$here/testdata/torch_baseline.py" "$out/torch.json" 2>"$(log torch)"
}
bench() { "$fabula" bench --engine tensorrt --json --sizes 64,1024 --replies 20 >"$out/bench.json" 2>"$(log bench)"; }
score() {
	[ -z "${FAMILIES:-}" ] || FABULA_MODEL=$model FABULA_ENGINES=$data/engines "$FAMILIES" -test.run ScoreOnACard -test.v >"$(log score)" 2>&1
}

# asked has one line answered; more are options of say.
asked() { (cd "$here/../../worlds" && "$fabula" say fox_lantern laozhou "$@" --free --json); }

# ladder answers with what serves best, then with a plan whose end is missing, and with
# none; each line of ladder.jsonl tells which engine answered.
ladder() {
	"$fabula" engines use tensorrt 2>"$(log ladder)" || return
	[ -z "${FAKE:-}" ] || return 0 # there is no plan to spoil
	set -- "$data"/engines/*.few
	plan=${1%.few}
	{ asked "Who lit the lamp?" --seed 7 && mv "$plan" "$plan.whole" && head -c 1000000 "$plan.whole" >"$plan" && asked "Who lit the lamp?" --seed 7 &&
		rm -f "$plan" "$plan".bad* && asked "Who lit the lamp?" --seed 7; } >"$out/ladder.jsonl" 2>>"$(log ladder)"
	said=$?
	mv "$plan.whole" "$plan" && "$fabula" engines use default 2>>"$(log ladder)"
	return $said
}
say() {
	{ asked "Who lit the lamp?" --engine tensorrt --seed 7 && asked "Is anyone else in the house?" --engine tensorrt --seed 8; } >"$out/turns.jsonl" 2>"$(log say)"
}
llama() {
	[ -n "${LLAMA_CPP_DIR:-}" ] || return 0
	tool=$(GGML=cuda CUDA_ARCH=${CUDA_ARCH:-native} sh "$here/../gguf/build.sh" bench-bin) && GGML=cuda CUDA_ARCH=${CUDA_ARCH:-native} sh "$here/../gguf/build.sh" bench >"$(log llama)" 2>&1 || return
	copy=
	[ ! -s "$out/f16.gguf" ] || copy="-m $out/f16.gguf"
	# shellcheck disable=SC2086 # two words are wanted
	"$tool" -m "$model" $copy -ngl 99 -fa 1 -p 1024 -n 128 -d 0,256,1024 -r 5 -o json >"$out/llama.json" 2>>"$(log llama)"
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
