"""Compiles attention.cu into the PTX text beside it, with NVRTC and no GPU.

usage: compile.py LIBNVRTC    (pip download nvidia-cuda-nvrtc-cu12 and unzip it)
"""
import ctypes
import pathlib
import sys

here = pathlib.Path(__file__).parent
lib = ctypes.CDLL(sys.argv[1])


def check(code, program=None):
    if code == 0:
        return
    size = ctypes.c_size_t()
    lib.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    lib.nvrtcGetProgramLog(program, log)
    sys.exit(log.value.decode())


for kind, define in (("f16", []), ("bf16", [b"-DBF16"])):
    for size in (64, 96, 128):
        program = ctypes.c_void_p()
        source = (here / "attention.cu").read_bytes()
        check(lib.nvrtcCreateProgram(ctypes.byref(program), source, b"attention.cu", 0, None, None))
        options = [b"-arch=compute_80", b"-std=c++17", b"-DSIZE=%d" % size, *define]
        check(lib.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)), program)
        length = ctypes.c_size_t()
        check(lib.nvrtcGetPTXSize(program, ctypes.byref(length)))
        text = ctypes.create_string_buffer(length.value)
        check(lib.nvrtcGetPTX(program, text))
        ptx = text.value.decode()
        # Nothing newer than the first ISA of CUDA 12 is used; older drivers take it then.
        lines = [".version 8.0" if line.startswith(".version") else line for line in ptx.splitlines() if not line.startswith("//")]
        (here / f"attention_{kind}_{size}.ptx").write_text("\n".join(lines).strip() + "\n")
