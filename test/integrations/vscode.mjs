// vscode.mjs EXTENSION FOLDER TESSERA: loads the extension with a stand-in for the interface of
// Visual Studio Code, and uses what it registers. Ends with status 1 at the first thing that is
// wrong.
import assert from "node:assert";
import fs from "node:fs";
import Module from "node:module";
import path from "node:path";

const [extension, folder, tessera] = process.argv.slice(2);
const manifest = JSON.parse(fs.readFileSync(path.join(extension, "package.json"), "utf8"));
const values = Object.fromEntries(Object.entries(manifest.contributes.configuration.properties)
  .map(([key, property]) => [key, property.default]));
values["tessera.program"] = tessera;

const registered = { commands: {}, tasks: {}, saved: [] }, panels = [], errors = [], done = [];
const vscode = {
  TaskScope: { Workspace: 2 }, TaskGroup: { Build: "build" }, ViewColumn: { Beside: -2 },
  ConfigurationTarget: { Workspace: 2 },
  ProcessExecution: class { constructor(program, words) { Object.assign(this, { program, words }); } },
  Task: class {
    constructor(definition, scope, name, source, execution, matchers) {
      Object.assign(this, { definition, scope, name, source, execution, matchers });
    }
  },
  workspace: {
    getConfiguration: (section) => ({
      get: (key) => values[`${section}.${key}`],
      update: (key, value, target) => { values[`${section}.${key}`] = value; done.push(target); },
    }),
    onDidSaveTextDocument: (act) => registered.saved.push(act),
  },
  window: {
    activeTextEditor: undefined,
    showErrorMessage: (text) => errors.push(text),
    createWebviewPanel: (...given) => {
      const panel = { given, webview: { html: "" }, onDidDispose: (act) => { panel.close = act; } };
      panels.push(panel);
      return panel;
    },
  },
  commands: {
    registerCommand: (name, act) => { registered.commands[name] = act; },
    executeCommand: (name) => { done.push(name); },
  },
  tasks: { registerTaskProvider: (type, provider) => { registered.tasks[type] = provider; } },
};
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode : load(name, ...rest);
const { activate } = Module.createRequire(import.meta.url)(path.join(extension, manifest.main));
const context = { subscriptions: [] };
activate(context);

// All that the manifest names is registered, and nothing else.
const names = manifest.contributes.commands.map((one) => one.command).sort();
assert.deepEqual(Object.keys(registered.commands).sort(), names);
assert.equal(context.subscriptions.length, 4);

// The page, in a panel that may run its script; once more when the program is saved.
const file = path.join(folder, "vector_add.cu");
await registered.commands["tessera.explain"]();
assert.deepEqual(errors.splice(0), ["tessera explain: open a program (.cu) first"]);
vscode.window.activeTextEditor = { document: { fileName: file } };
await registered.commands["tessera.explain"]();
assert.deepEqual(errors, []);
const [panel] = panels;
assert.match(panel.webview.html, /^<!doctype html>[^]*vector_add/);
assert.equal(panel.given[3].enableScripts, true);
panel.webview.html = "";
await registered.saved[0]({ fileName: file });
assert.match(panel.webview.html, /^<!doctype html>/);
await registered.commands["tessera.explain"]({ fsPath: file });
assert.equal(panels.length, 1);
panel.close();
await registered.saved[0]({ fileName: file });

// What is wrong is said.
fs.writeFileSync(path.join(folder, "wrong.cu"), "int x = ;\n");
await registered.commands["tessera.explain"]({ fsPath: path.join(folder, "wrong.cu") });
assert.match(errors.pop(), /^tessera explain: .*wrong\.cu:1:9: error/);
values["tessera.program"] = "/nowhere/tessera";
await registered.commands["tessera.explain"]({ fsPath: file });
assert.equal(errors.pop(),
  "tessera explain: there is no program '/nowhere/tessera'; set tessera.program");
values["tessera.program"] = tessera;

// The tasks are those of the definition, and their words are those of tessera.
const { tessera: provider } = registered.tasks;
const [definition] = manifest.contributes.taskDefinitions;
const tasks = provider.provideTasks();
assert.deepEqual(tasks.map((task) => task.definition.command), definition.properties.command.enum);
values["tessera.options"] = ["--arch=sm_80"];
const words = (given) => provider.resolveTask({ definition: { type: "tessera", ...given } })
  ?.execution.words;
assert.deepEqual(words({ command: "verify", file: "x.cu", arguments: ["7"] }),
  ["run", "--arch=sm_80", "--verify", "x.cu", "--", "7"]);
assert.deepEqual(words({ command: "check" }), ["check", "--arch=sm_80", "${file}"]);
assert.equal(words({ command: "sing" }), undefined);
assert.ok(tasks.every((task) => task.matchers === `$${manifest.contributes.problemMatchers[0].name}`));

// The extension clangd starts tessera-clangd from now on.
await registered.commands["tessera.useClangd"]();
assert.equal(values["clangd.path"], "tessera-clangd");
assert.deepEqual(done, [2, "clangd.restart"]);
