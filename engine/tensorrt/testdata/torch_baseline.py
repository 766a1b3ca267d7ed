"""Times PyTorch transformers on the shapes that `fabula engines measure` times.

usage: torch_baseline.py OUT.json    (needs torch, transformers and a card)
Weights are random: only time matters. One JSON object, nanoseconds.
"""
import json
import sys
import time

import torch
import transformers
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.cache_utils import DynamicCache, StaticCache

SHAPES = {
    "SmolLM2-135M": dict(hidden_size=576, intermediate_size=1536, num_hidden_layers=30, num_attention_heads=9, num_key_value_heads=3, vocab_size=49152, tie_word_embeddings=True),
    "Phi-3-mini shape": dict(hidden_size=3072, intermediate_size=8192, num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=8, vocab_size=32064),
}
SPAN = 1024


def timed(run, n, warm=3):
    list_ = []
    for i in range(n + warm):
        torch.cuda.synchronize()
        start = time.perf_counter_ns()
        run()
        torch.cuda.synchronize()
        if i >= warm:
            list_.append(time.perf_counter_ns() - start)
    return list_


@torch.inference_mode()
def measure(config):
    torch.manual_seed(1)
    config = LlamaConfig(max_position_embeddings=4096, **config)
    with torch.device("cuda"):
        model = LlamaForCausalLM(config).to(torch.float16).eval()
    ids = torch.randint(0, config.vocab_size, (1, SPAN), device="cuda")
    out = {"prefill_1024_eager": timed(lambda: model(ids, use_cache=True, logits_to_keep=1), 10)}
    cache = DynamicCache(config=config)
    model(ids, past_key_values=cache, use_cache=True, logits_to_keep=1)
    one = ids[:, :1].contiguous()

    def eager():
        model(one, past_key_values=cache, use_cache=True).logits[:, -1].argmax(-1).item()

    out["decode_1024_eager"] = timed(eager, 30)
    try:
        static = StaticCache(config=config, max_cache_len=SPAN + 128)
        model(ids, past_key_values=static, use_cache=True, logits_to_keep=1, cache_position=torch.arange(SPAN, device="cuda"))
        compiled = torch.compile(model.forward, mode="reduce-overhead", fullgraph=True)
        place = torch.tensor([SPAN], device="cuda")

        def step():
            torch.compiler.cudagraph_mark_step_begin()
            compiled(one, past_key_values=static, use_cache=True, cache_position=place, position_ids=place[None]).logits[:, -1].argmax(-1).item()

        out["decode_1024_compiled"] = timed(step, 30, warm=6)
    except Exception as e:  # the compiled path depends on the version; say what happened
        out["compiled_failed"] = repr(e)[:400]
    return out


report = {"torch": torch.__version__, "transformers": transformers.__version__, "card": torch.cuda.get_device_name(), "span": SPAN}
for name, config in SHAPES.items():
    report[name] = measure(config)
    torch.cuda.empty_cache()
    json.dump(report, open(sys.argv[1], "w"), indent=1)
    for key, value in report[name].items():
        print(name, key, value if isinstance(value, str) else "p50 %.3f ms" % (sorted(value)[len(value) // 2] / 1e6), flush=True)
