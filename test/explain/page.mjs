// page.mjs PAGE...: uses pages of `tessera explain`, each a tree in JSON (page.py makes it), in a
// document without a browser. Prints what is wrong, a line each.
import fs from "node:fs";
import vm from "node:vm";
import { open } from "./dom.mjs";

function check(name, isRight, ...what) {
  if (!isRight) console.log([name, ...what].join(" "));
}

function checkKernels(name) {
  const { data, holdersOf, byteOf } = globalThis.tesseraPage;
  const buttons = document.querySelectorAll("#kernels tbody button");
  check(name, buttons.length === data.kernels.length, "lists", buttons.length, "kernels");
  buttons.forEach((button, i) => {
    button.click();
    const kernel = data.kernels[i];
    const of = (selector) => document.querySelectorAll(selector);
    check(name, of("#kernels tr.chosen").length === 1 &&
      of("#kernels tr.chosen")[0].textContent.startsWith(kernel.name), "does not choose", i);
    const shown = of("#emitted .line .t").map((line) => line.textContent);
    check(name, shown.join("\n") === kernel.lines.map(([text]) => text).join("\n"),
      "shows another text of", kernel.name);
    const sources = of("#source .line .t").map((line) => line.textContent).join("\n") + "\n";
    check(name, sources === data.files.map((file) => file.text).join(""),
      "shows another program");
    const remarks = new Set(kernel.remarks.map((r) => r.text));
    const texts = of(".remark").map((remark) => remark.textContent);
    for (const remark of remarks)
      check(name, texts.some((text) => text.startsWith(remark)), "does not show:", remark);
    check(name, of("#tiles canvas").length === 3 * kernel.tiles.length, "draws not all tiles");
    check(name, of("#shared rect.block").length === kernel.shared.length,
      "draws not all of shared memory");
    check(name, kernel.tiles.every((tile) => holdersOf(tile).copies.every((n) => n > 0)),
      "has elements without a thread");
    for (const shared of kernel.shared) {
      const size = shared.shape.reduce((x, y) => x * y, 1);
      const locations = new Set(Array.from({ length: size }, (_, at) => byteOf(shared, at)));
      check(name, locations.size === size, "has two elements in one location");
    }
  });
}

// What was measured stands in a column of its own, where there is any.
function checkProfiles(name) {
  const { kernels } = globalThis.tesseraPage.data;
  const titles = document.querySelectorAll("#kernels th").map((one) => one.textContent);
  const profiled = kernels.some((kernel) => kernel.profiles);
  check(name, titles.includes("Measured") === profiled, "has the columns", titles);
  check(name, profiled === name.includes("profile"), "has no profile");
  document.querySelectorAll("#kernels tbody tr").forEach((row, i) => {
    for (const { limit } of kernels[i].profiles ?? [])
      check(name, row.textContent.includes(limit), "does not say:", limit);
  });
}

function checkHover(name) {
  document.querySelector("#kernels tbody button").click();
  const { lines } = globalThis.tesseraPage.data.kernels[0];
  const files = new Set(globalThis.tesseraPage.data.files.map((one) => one.name));
  const tied = lines.findLast((line) => line.length > 1 && files.has(line[1][0]));
  if (!tied) return;
  const [, [file, number]] = tied;
  const wanted = lines.map((line, i) =>
    line.slice(1).some((p) => p[0] === file && p[1] === number) ? i : -1).filter((i) => i >= 0);
  const line = document.querySelectorAll("#source .line")
    .find((one) => one.dataset.key === `${file}:${number}`);
  line.querySelector(".t").dispatch("pointerover");
  const lit = document.querySelectorAll("#emitted .line.lit").map((one) => +one.dataset.key);
  check(name, lit.length && String(lit) === String(wanted), "lights", lit, "and not", wanted);
  document.querySelector("#source .lines").dispatch("pointerleave");
  check(name, !document.querySelectorAll(".lit").length, "stays lit");
}

function checkSearch(name) {
  document.body.dispatch("keydown", { key: "/" });
  const search = document.getElementById("search"), found = document.getElementById("found");
  check(name, document.activeElement === search, "'/' does not search");
  search.value = "n";
  search.dispatch("input");
  const count = document.querySelectorAll(".line .t, .remark, #kernels td:first-child")
    .filter((one) => one.textContent.toLowerCase().includes("n")).length;
  check(name, count > 1 && found.textContent === `${count} places`, "finds", found.textContent);
  for (const at of [1, 2]) {
    search.dispatch("keydown", { key: "Enter" });
    check(name, found.textContent === `${at} of ${count}`, "does not go to find", at);
  }
  search.dispatch("keydown", { key: "Escape" });
  check(name, !document.querySelectorAll(".hit, .now").length, "keeps what was found");
}

function checkKeysAndTheme(name) {
  const box = document.querySelector("#source .lines");
  box.focus();
  const before = box.getAttribute("aria-activedescendant");
  box.dispatch("keydown", { key: "ArrowDown" });
  const after = box.getAttribute("aria-activedescendant");
  check(name, before && after && after !== before, "arrow keys do not move", before, after);
  const canvas = document.querySelector("#tiles canvas");
  canvas?.dispatch("keydown", { key: "ArrowRight" });
  check(name, !canvas || document.querySelector("#tiles .reading").textContent.includes("thread"),
    "arrow keys do not move over a tile");
  canvas?.dispatch("pointermove", { clientX: 50, clientY: 50 });
  const theme = document.getElementById("theme");
  const seen = [1, 2, 3].map(() => { theme.click(); return theme.textContent; });
  check(name, seen.join() === "light,dark,auto", "has the colours", seen);
}

for (const file of process.argv.slice(2)) {
  const { name, tree } = JSON.parse(fs.readFileSync(file, "utf8"));
  try {
    open(tree);
    const before = document.querySelectorAll("script").length;
    vm.runInThisContext(document.querySelectorAll("script").at(-1).textContent, name);
    if (globalThis.tesseraPage.data.kernels.length)
      for (const part of [checkKernels, checkProfiles, checkHover, checkSearch, checkKeysAndTheme])
        part(name);
    else
      check(name, document.querySelector("main").textContent.includes("no tile kernel"),
        "does not say that there is no kernel");
    check(name, document.querySelectorAll("script").length === before &&
      !document.title.startsWith("taken"), "is taken over");
  } catch (error) {
    check(name, false, "fails:", error.stack.split("\n").slice(0, 3).join(" "));
  }
}
