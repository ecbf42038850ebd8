// The extension: starts tessera, and shows what it says. Errors and fixes while you type are those
// of tessera-clangd, which the extension clangd runs in place of clangd.
"use strict";
const childProcess = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");

const settings = () => vscode.workspace.getConfiguration("tessera");

// The words behind `tessera` for a task's command.
const wordsOf = {
  check: (file) => ["check", file],
  run: (file) => ["run", file],
  emulate: (file) => ["run", "--target=emulate", file],
  verify: (file) => ["run", "--verify", file],
  explain: (file) => ["explain", file],
};
const runs = new Set(["run", "emulate", "verify"]);

function commandLine(command, file, programArguments = []) {
  const [name, ...rest] = wordsOf[command](file);
  const words = [name, ...settings().get("options"), ...rest];
  return runs.has(command) && programArguments.length ? [...words, "--", ...programArguments] : words;
}

function taskOf(definition, scope) {
  const file = definition.file ?? "${file}";
  const words = commandLine(definition.command, file, definition.arguments);
  const execution = new vscode.ProcessExecution(settings().get("program"), words);
  const task = new vscode.Task(definition, scope ?? vscode.TaskScope.Workspace, definition.command,
    "tessera", execution, "$tessera");
  task.group = definition.command === "check" ? vscode.TaskGroup.Build : undefined;
  return task;
}

const taskProvider = {
  provideTasks: () => Object.keys(wordsOf).map((command) => taskOf({ type: "tessera", command })),
  resolveTask: (task) => wordsOf[task.definition.command]
    ? taskOf(task.definition, task.scope) : undefined,
};

function execute(words, folder) {
  return new Promise((resolve) => childProcess.execFile(settings().get("program"), words,
    { cwd: folder, maxBuffer: 1 << 26 }, (error, out, errors) => resolve({ error, out, errors })));
}

// The page of `tessera explain` beside the program; made again when the program is saved.
class Pages {
  constructor() {
    this.panels = new Map(); // file -> panel
  }

  async show(file) {
    let panel = this.panels.get(file);
    if (!panel) {
      panel = vscode.window.createWebviewPanel("tessera.explain", `${path.basename(file)}: kernels`,
        vscode.ViewColumn.Beside, { enableScripts: true, enableFindWidget: true });
      this.panels.set(file, panel);
      panel.onDidDispose(() => this.panels.delete(file));
    }
    await this.draw(file, panel);
  }

  async draw(file, panel) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tessera-"));
    try {
      const page = path.join(folder, "page.html");
      const words = ["explain", ...settings().get("options"), "--registers=false", "-o", page, file];
      const { error, errors } = await execute(words, path.dirname(file));
      if (error) {
        const why = error.code === "ENOENT"
          ? `there is no program '${settings().get("program")}'; set tessera.program` : errors.trim();
        vscode.window.showErrorMessage(`tessera explain: ${why.split("\n")[0]}`);
      } else {
        panel.webview.html = fs.readFileSync(page, "utf8"); // its own policy allows no network
      }
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }

  saved(file) {
    const panel = this.panels.get(file);
    return panel ? this.draw(file, panel) : undefined;
  }
}

async function useClangd() {
  const clangd = vscode.workspace.getConfiguration("clangd");
  await clangd.update("path", settings().get("clangd"), vscode.ConfigurationTarget.Workspace);
  await vscode.commands.executeCommand("clangd.restart");
}

function activate(context) {
  const pages = new Pages();
  context.subscriptions.push(
    vscode.tasks.registerTaskProvider("tessera", taskProvider),
    vscode.commands.registerCommand("tessera.useClangd", useClangd),
    vscode.commands.registerCommand("tessera.explain", (place) => {
      const file = place?.fsPath ?? vscode.window.activeTextEditor?.document.fileName;
      return file ? pages.show(file)
        : vscode.window.showErrorMessage("tessera explain: open a program (.cu) first");
    }),
    vscode.workspace.onDidSaveTextDocument((document) => pages.saved(document.fileName)));
}

module.exports = { activate, deactivate() {} };
