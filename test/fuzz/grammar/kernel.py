"""A kernel with all that its file holds of it, and a file of kernels, as text."""

import re
from dataclasses import dataclass, field

HEAD = """#include <fuzz.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

#define FUZZ_SAME(...) __VA_ARGS__
#define FUZZ_ONCE(...)                                                                           \\
  do {                                                                                           \\
    __VA_ARGS__;                                                                                 \\
  } while (false);
template <class K, class... A>
static void launch_by(K *kernel, dim3 grid, cudaStream_t stream, A... a) {
  kernel<<<grid, 1, 0, stream>>>(a...);
}
"""


# Where a launch may stand that is an expression E; BEHIND what the run function has in front.
POSITIONS = {
    "statement": "{};",
    "lambda": "[&] {{ {}; }}();",
    "result of a lambda": "[&] {{ return {}; }}();",
    "generic lambda": "[&](auto once) {{ while (once--) {}; }}(1);",
    "function": "fuzz::call([&] {{ {}; }});",
    "loop": "for (int once = 0; once < 1; ++once) {};",
    "head of a loop": "for ({}; false;) {{}}",
    "condition": "if ({}, true) {{}}",
    "branch": "if (!fuzz::yes()) {{}} else {};",
    "switch": "switch (int(fuzz::yes())) case 1: {};",
    "do": "do {}; while (!fuzz::yes());",
    "ternary": "fuzz::yes() ? {} : void();",
    "other side of a ternary": "!fuzz::yes() ? void() : {};",
    "comma": "(void)fuzz::yes(), {};",
    "parentheses": "({});",
    "cast": "static_cast<void>({});",
    "macro argument": "FUZZ_SAME({});",
    "macro of a statement": "FUZZ_ONCE({})",
}
BY_TEMPLATE = "function template"


@dataclass
class Kernel:
    """Everything that is printed of a kernel; the reducer changes it."""

    name: str
    parameters: list  # (name, declaration, [argument of each launch])
    buffers: list
    body: list
    grids: list
    globals: list = field(default_factory=list)
    functions: list = field(default_factory=list)
    templates: list = field(default_factory=list)  # Template
    forms: list = field(default_factory=list)  # of the launches
    has_stream: bool = False
    hint: str = ""
    simt: list = field(default_factory=list)  # kernels between the launches: (name, buffer)
    positions: list = field(default_factory=list)  # of the launches, keys of POSITIONS

    def all_functions(self):
        return [*(f for g in self.globals for f in g.functions), *self.functions]

    def bodies(self):
        return [*(f.body for f in self.all_functions()), self.body]

    def text(self):
        """KERNEL_ in front of a name makes it the kernel's own."""
        lines = [f"// kernel {self.name}"]
        for part in (*self.globals, *self.functions):
            lines.extend(part.lines())
        declared = ", ".join(d for _, d, _ in self.parameters)
        head = f"{self.hint}__tile_global__ void {self.name}({declared}) {{"
        own = [head, *(line for statement in self.body for line in statement.lines())]
        lines.extend(self.as_template(own) if self.templates else own)
        lines += ["}", "", f"static void run_{self.name}() {{"]
        for b in self.buffers:
            e, r = b.element, b.range
            span = 0 if r == e.full and e.bits == 64 else int((r.hi - r.lo) * (1 << r.frac)) + 1
            n = b.size * (
                1 if b.is_const or b.is_atomic else max(g[0] * g[1] * g[2] for g in self.grids)
            )
            lines.append(
                f"  auto {b.name} = fuzz::buffer<{e.name}>({n}, {int(r.lo * (1 << r.frac))}ll, "
                f"{span}ull, {r.frac});".replace(
                    "-9223372036854775808ll", "(-9223372036854775807ll - 1)"
                )
            )
        if self.has_stream:
            lines += ["  cudaStream_t stream;", "  fuzz::require(cudaStreamCreate(&stream));"]
        for launch in range(len(self.grids)):
            lines += self.launch(launch)
            for name, b in self.simt:
                stream = "stream" if self.has_stream else "0"
                lines.append(f"  {name}<<<3, 64, 0, {stream}>>>({b}, {b}.count);")
        for b in self.buffers:
            if not b.is_const:
                show = "show_near" if b.is_near else "show"
                lines.append(f'  fuzz::{show}("{self.name}", "{b.name}", {b.name});')
        text = "\n".join(lines + ["}", ""])
        return text.replace("KERNEL_", f"{self.name}_").replace("KERNELNAME", self.name)

    def as_template(self, lines):
        """The kernel's own lines with the types that are parameters of it by their names."""
        head = ", ".join(t.declaration for t in self.templates)
        text = "\n".join(lines)
        for t in self.templates:
            if t.element:
                name = t.element.name
                text = text.replace(f"ct::tile<{name}, ", f"ct::tile<{t.name}, ")
                text = re.sub(rf"([(,] ?(?:const )?){re.escape(name)} \*", rf"\1{t.name} *", text)
        text = re.sub(r"\.(load_masked|atomic_\w+)<", r".template \1<", text)
        return [f"template <{head}>", *text.split("\n")]

    def launch(self, launch):
        """The statements of a launch."""
        name, grid = self.name, "dim3({}, {}, {})".format(*self.grids[launch])
        if self.templates:
            name += f"<{', '.join(t.arguments[launch] for t in self.templates)}>"
        stream = "stream" if self.has_stream else "0"
        form = self.forms[launch] if self.forms else "chevrons"
        if not self.parameters and form != "grid":
            form = "chevrons"
        config = ["    cudaLaunchConfig_t config = {};", f"    config.gridDim = {grid};"]
        config += ["    config.blockDim = 1;", f"    config.stream = {stream};"]
        if form == "ex":
            arguments = ", ".join(a[launch] for _, _, a in self.parameters)
            call = f"cudaLaunchKernelEx(&config, {name}, {arguments})"
            return ["  {", *config, f"    fuzz::require({call});", "  }"]
        if form in ("call", "exc"):
            lines = ["  {", *(config if form == "exc" else [])]
            for n, declaration, values in self.parameters:
                declaration = re.sub(rf"\b{n}$", f"{n}_", declaration)
                lines.append(f"    {declaration} = {values[launch]};")
            places = ", ".join(f"(void *)&{p[0]}_" for p in self.parameters)
            lines.append(f"    void *arguments[] = {{{places}}};")
            rest = f"{grid}, dim3(1), arguments, 0, {stream}"
            call = f"cudaLaunchKernel((const void *){name}, {rest})"
            if form == "exc":
                call = f"cudaLaunchKernelExC(&config, (const void *){name}, arguments)"
            return [*lines, f"    fuzz::require({call});", "  }"]
        arguments = ", ".join(a[launch] for _, _, a in self.parameters)
        more = ", 1, 0, stream" if self.has_stream else "" if form == "grid" else ", 1"
        position = self.positions[launch] if self.positions else "statement"
        if position == BY_TEMPLATE and arguments:
            return [f"  launch_by({name}, {grid}, {stream}, {arguments});"]
        launched = f"{name}<<<{grid}{more}>>>({arguments})"
        return ["  " + POSITIONS.get(position, "{};").format(launched)]


@dataclass
class Template:
    """A template parameter of a kernel; one that is a type stands for an element."""

    declaration: str
    name: str
    arguments: list  # one per launch
    element: object = None


def file_text(kernels):
    parts = [HEAD, *(k.text() for k in kernels)]
    parts.append("static const fuzz::kernel kernels[] = {")
    parts += [f'    {{"{k.name}", run_{k.name}}},' for k in kernels]
    parts += [
        "};",
        "",
        "int main(int argc, char **argv) { return fuzz::run(argc, argv, kernels); }",
        "",
    ]
    return "\n".join(parts)
