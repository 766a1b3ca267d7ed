# make run      build what is missing, fetch the default model, open the demo world
# make build    bin/fabula, linked with llama.cpp; GGML=vulkan|metal|cuda for a graphics card
# make llama    llama.cpp from its pinned source, built once into the cache
# make model    the default model, fetched once into the data folder
# make test     everything that CI runs; make test-long: fuzzing, by hand

GO         ?= go
WORLD      ?= fox_lantern
GO_LDFLAGS ?= -s -w
GGML       ?= cpu

native := GGML='$(GGML)' sh engine/gguf/build.sh
trt    := sh engine/tensorrt/fetch.sh
model  := $(shell sh engine/gguf/model.sh where)

.PHONY: run build llama llama-bench model fetched test test-lab test-style test-cross test-go test-offline test-llama test-vulkan test-tensorrt test-terminal test-export test-report test-long figures load

run: build
	@sh engine/gguf/model.sh || echo "make: going on without the default model" >&2
	@bin/fabula $(WORLD)

# With TENSORRT_INCLUDE, the folder of NvInfer.h, bin/fabula can use an NVIDIA card.
build: llama
	@eval "$$($(native) env)" && $(if $(TENSORRT_INCLUDE),eval "$$(TENSORRT_INCLUDE='$(TENSORRT_INCLUDE)' $(trt) env own)" &&) \
		$(GO) build -tags 'llama$(if $(TENSORRT_INCLUDE), tensorrt)' -buildvcs=false -trimpath -ldflags '$(GO_LDFLAGS)' -o bin/fabula ./cmd/fabula

llama:
	@$(native) lib

llama-bench:
	@$(native) bench

model:
	@sh engine/gguf/model.sh

# The tests that need the real model. A missing model is a failure, not a skip.
test-llama: llama model
	@test -s "$${FABULA_MODEL:-$(model)}" || { echo "make: no model at $${FABULA_MODEL:-$(model)}: run make model" >&2; exit 1; }
	@eval "$$($(native) env)" && \
		FABULA_MODEL="$${FABULA_MODEL:-$(model)}" $(GO) test -tags llama -count 1 ./engine/gguf/... ./engine/worker/... ./engine/tensorrt/interp

# By hand: the same engine with GGML=vulkan. Without a graphics card Mesa's driver
# for processors takes its place (Debian: mesa-vulkan-drivers).
test-vulkan: model
	@GGML=vulkan sh engine/gguf/build.sh lib
	@eval "$$(GGML=vulkan sh engine/gguf/build.sh env)" && \
		GGML_VK_VISIBLE_DEVICES="$${GGML_VK_VISIBLE_DEVICES:-0}" FABULA_MODEL="$${FABULA_MODEL:-$(model)}" \
		$(GO) test -tags llama -count 1 -v -timeout 10m -run 'Card' ./engine/gguf/

# The measured figures of the README: the program, the screen and the store;
# then ratios of the model: worker against the same loop in process, reuse
# against cold, and llama-bench at the same depth, threads and model.
figures: llama llama-bench model
	$(GO) test -run '^$$' -bench '^Benchmark(Version|FirstFrame|Streaming|OpenBranch2000|Turn|Say)$$' \
		./cmd/fabula ./tui/screen/chat ./story/store ./story
	$(GO) test -run '^$$' -bench '^BenchmarkLines$$' ./engine/recall
	@test -s "$${FABULA_MODEL:-$(model)}" || { echo "make: no model at $${FABULA_MODEL:-$(model)}: run make model" >&2; exit 1; }
	@eval "$$($(native) env)" && \
		FABULA_MODEL="$${FABULA_MODEL:-$(model)}" FABULA_LLAMA_BENCH="$$($(native) bench-bin)" \
		$(GO) test -tags llama -run '^$$' -bench '^Benchmark(Figures|Choice)$$' -benchtime 1x -timeout 20m ./engine/gguf/ ./engine/grounded

# Several requests at once with the real model: alternatives, clients that send at
# fixed times, a chat beside playtests; and what the worker adds to short steps.
load: llama model
	$(GO) test -run '^$$' -bench '^BenchmarkOverhead$$' -benchtime 1x ./engine/worker
	@eval "$$($(native) env)" && FABULA_MODEL="$${FABULA_MODEL:-$(model)}" \
		$(GO) test -tags llama -run '^$$' -bench '^Benchmark(Alternatives|Load|ChatUnderLoad)$$' -benchtime 1x -timeout 20m ./engine/gguf/

# TensorRT without a card: the library for RTX cards builds real engines on the
# processor, the headers of TensorRT 11 compile. Prints `rung … ok` for what was run.
test-tensorrt: llama
	@$(trt) get
	@eval "$$($(trt) env 11)" && $(GO) vet -tags tensorrt ./engine/tensorrt/... && $(GO) build -tags tensorrt ./engine/tensorrt/... && \
		echo "rung TensorRT 11.4: headers compile ok"
	@eval "$$($(native) env)" && eval "$$($(trt) env)" && $(GO) vet -tags 'llama tensorrt device' ./engine/tensorrt/... ./cmd/fabula && \
		said=$$($(GO) test -tags tensorrt -count 1 -timeout 10m -v ./engine/tensorrt/ 2>&1 | awk '/^rung|^--- FAIL|^    --- FAIL|_test.go:|^(FAIL|ok|panic)/'); \
		echo "$$said"; echo "$$said" | grep -q '^ok'

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME    ?= 500000x
CROSS       ?= ./engine/worker ./engine/catalog ./engine/gguf/... ./engine/machine ./story/store ./worlds ./tui/term

# Everything that CI runs. What is fetched is fetched while llama.cpp compiles.
test: fetched test-style test-cross test-go test-offline test-export test-llama test-lab test-tensorrt test-terminal

fetched:
	@for part in '$(native) lib' '$(GO) mod download' 'sh engine/gguf/model.sh' 'sh story/export/testdata/npm/fetch.sh >/dev/null' '$(trt) get'; do \
		sh -c "$$part" & all="$$all $$!"; \
	done; \
	for part in $$all; do wait $$part || bad=yes; done; \
	[ -z "$$bad" ] || { echo "make: not everything could be fetched or built; the lines above say why" >&2; exit 1; }

# Negative controls of the quality lab, by the real program with the real model: a
# spoilt layer must miss the gates of drift, an engine against itself must pass.
test-lab: build model
	FABULA_BIN=$(CURDIR)/bin/fabula FABULA_MODEL="$${FABULA_MODEL:-$(model)}" $(GO) test -tags lab -count 1 -timeout 10m -run Lab ./cmd/fabula

test-style: llama
	@unformatted=$$(gofmt -l .); \
		[ -z "$$unformatted" ] || { echo "gofmt wants to change:"; echo "$$unformatted"; exit 1; }
	$(GO) vet ./... && $(GO) vet -tags 'terminal lab' ./cmd/fabula
	@eval "$$($(native) env)" && $(GO) vet -tags llama ./engine/gguf/... ./engine/tensorrt/interp ./cmd/fabula
	$(GO) run $(STATICCHECK) ./...

# What differs between systems compiles for the others, without native engines; it is not
# run there. CROSS=./... compiles the whole program, which takes minutes from nothing.
test-cross:
	@for s in linux/arm64 darwin/arm64 windows/amd64; do \
		echo "go build for $$s"; \
		CGO_ENABLED=0 GOOS=$${s%/*} GOARCH=$${s#*/} $(GO) build $(CROSS) || exit 1; \
	done
	@CGO_ENABLED=0 GOOS=windows GOARCH=amd64 $(GO) vet $(CROSS)

# Race detector on every package that has or tests something concurrent: goroutines,
# locks, channels, sessions, parallel tests, servers. In the others there is nothing for
# it to find, and it takes five times as long: they run once without. Two parts run
# elsewhere: the scripts of commands in test-offline, what test-export runs there.
CONCURRENT := (^|[^[:alnum:]"`/_])go (func|[[:alnum:]_.]+\()|"sync(/atomic)?"|\.Go\(|\.Parallel\(|synctest\.|AfterFunc|"net/http|<-|story\.Session

test-go:
	@all=$$($(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}:{{.Dir}}{{end}}' ./...) || exit 1; \
	for p in $$all; do \
		if grep -qE '$(CONCURRENT)' "$${p#*:}"/*.go; then raced="$$raced $${p%%:*}"; \
		else case $$p in fabula/story/export/*) ;; *) plain="$$plain $${p%%:*}" ;; esac; fi; \
	done; \
	echo "$(GO) test -race" && $(GO) test -race -timeout 10m -skip '^TestScripts$$' $$raced && \
		echo "$(GO) test" && $(GO) test -timeout 10m $$plain

# Exports read and played by other people's tools: npm packages, pinned by
# story/export/testdata/npm/package-lock.json and kept in the cache, and Graphviz.
test-export:
	@npm=$$(sh story/export/testdata/npm/fetch.sh) && \
		$(GO) vet -tags npm ./story/export/... && \
		FABULA_NPM="$$npm" $(GO) test -tags npm -count 1 ./story/export/...

# Every command script, where there is no network: nothing but 'models pull', 'remote'
# and '--metrics' may ask for one, and those play a server on this machine. Those that
# have several things going on run with the race detector too.
RACY := play|ladder|metrics|remote|say_ab|say_fault|engines_switch

test-offline:
	@apart="env FABULA_TEST_OFFLINE=1 unshare -rn"; tests='^(TestOffline|TestScripts)$$'; \
	unshare -rn true 2>/dev/null || { \
		echo "make: no network namespace is allowed here, so the scripts run with the network" >&2; apart=; tests='^TestScripts$$'; }; \
	$$apart $(GO) test -count 1 -timeout 10m -run "$$tests" ./cmd/fabula
	$(GO) test -race -count 1 -timeout 10m -run '^TestScripts$$/^($(RACY))$$' ./cmd/fabula

# By hand, for its browser takes minutes to install: report.html in headless Chromium.
test-report:
	@GO='$(GO)' sh story/export/qa/testdata/report.sh

# The real binary with the real model in a real terminal (tmux).
test-terminal: build model
	FABULA_BIN=$(CURDIR)/bin/fabula $(GO) test -tags terminal -count 1 -timeout 15m -run Terminal ./cmd/fabula

# Longer: 200 kills at random moments of writing and of playing, then fuzzing of every target, by hand: make test-long FUZZTIME=5000000x (a count: at a
# time limit go test can report its own deadline as a failure)
test-long:
	FABULA_KILLS=200 $(GO) test -count 1 -timeout 30m -v -run '^TestKill$$' ./story/store ./story | grep -E 'kills:|^(---|FAIL|ok)'
	@for p in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
			echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x $$p || exit 1; \
		done; \
	done
