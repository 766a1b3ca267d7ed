"""Compiles the .cu files into the PTX text beside them, with NVRTC and no GPU.

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


def compile(source, target, *defines):
    program = ctypes.c_void_p()
    files = sorted(here.glob("*.cuh"))
    texts = (ctypes.c_char_p * len(files))(*[f.read_bytes() for f in files])
    names = (ctypes.c_char_p * len(files))(*[f.name.encode() for f in files])
    check(lib.nvrtcCreateProgram(ctypes.byref(program), (here / source).read_bytes(), source.encode(), len(files), texts, names))
    options = [b"-arch=compute_80", b"-std=c++17", *defines]
    check(lib.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)), program)
    length = ctypes.c_size_t()
    check(lib.nvrtcGetPTXSize(program, ctypes.byref(length)))
    text = ctypes.create_string_buffer(length.value)
    check(lib.nvrtcGetPTX(program, text))
    # Nothing newer than the first ISA of CUDA 12 is used; older drivers take it then.
    lines = [".version 8.0" if line.startswith(".version") else line for line in text.value.decode().splitlines() if not line.startswith("//") or "@" in line]
    if b"-DCODES" in defines:  # long enough without indents
        lines = [line.strip() for line in lines]
    (here / target).write_text("\n".join(lines).strip() + "\n")


compile("best.cu", "best.ptx")
for kind, define in (("f16", []), ("bf16", [b"-DBF16"])):
    compile("linear.cu", f"linear_{kind}.ptx", *define)
    compile("few.cu", f"few_{kind}.ptx", *define)
    compile("linear.cu", f"linear_codes_{kind}.ptx", b"-DCODES", *define)
    compile("few.cu", f"few_codes_{kind}.ptx", b"-DCODES", *define)
    for size in (64, 96, 128):
        compile("attention.cu", f"attention_{kind}_{size}.ptx", b"-DSIZE=%d" % size, *define)
