// Compares scripts as they are served with their sources: both have the same syntax tree, each name of one stands for the same name of
// the other, and names that are not declared in the script are the same.
// Call it with two folders: node same-meaning.mjs SOURCES SERVED. It needs TypeScript (npm install --global typescript).

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const modules = execFileSync("npm", ["root", "--global"], { encoding: "utf8" }).trim();
const ts = createRequire(import.meta.url)(join(modules, "typescript"));
const [sources, served] = process.argv.slice(2);
const scripts = readdirSync(served, { recursive: true }).filter((path) => path.endsWith(".js"));
let names = 0;
let shorter = 0;
for (const path of scripts) compare(path);
console.log(`${scripts.length} scripts, ${names} names, ${shorter} of them shorter`);

/** A script with all that its names stand for, on its own. */
function read(folder, path) {
  const text = readFileSync(join(folder, path), "utf8");
  const host = { ...ts.createCompilerHost({}), readFile: () => text, fileExists: (name) => name === path, getSourceFile: (name) => (name === path ? ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS) : undefined) };
  const program = ts.createProgram([path], { allowJs: true, noLib: true, noResolve: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext }, host);
  const file = program.getSourceFile(path);
  const wrong = program.getSyntacticDiagnostics(file);
  if (wrong.length > 0) fail(path, file, wrong[0].start ?? 0, String(wrong[0].messageText));
  return { file, checker: program.getTypeChecker() };
}

function compare(path) {
  const [one, other] = [read(sources, path), read(served, path)];
  const [there, back] = [new Map(), new Map()];
  walk(one.file, other.file);

  function walk(source, kept) {
    const differs = (why) => fail(path, other.file, kept.getStart(other.file), `${why}; the source has: ${source.getText(one.file).slice(0, 80)}`);
    // `{ name }` may be served as `{name:a}`.
    if (isPair(source) && isPair(kept)) {
      if (keyOf(source) !== keyOf(kept)) return differs("another key");
      return walkAll(pairParts(source), pairParts(kept), differs);
    }
    if (source.kind !== kept.kind) return differs(`${ts.SyntaxKind[kept.kind]} instead of ${ts.SyntaxKind[source.kind]}`);
    if (ts.isIdentifier(source) || ts.isPrivateIdentifier(source)) return same(symbolOf(one, source), symbolOf(other, kept), source, kept, differs);
    if (ts.isLiteralExpression(source) || ts.isTemplateLiteralToken(source)) return source.text === kept.text || differs("another text");
    // A `const` may be served as a `let`.
    const isVar = (node) => ts.isVariableDeclarationList(node) && !(node.flags & ts.NodeFlags.BlockScoped);
    if (source.operator !== kept.operator || isVar(source) !== isVar(kept)) return differs("another sign");
    walkAll(children(source), children(kept), differs);
  }

  function walkAll(left, right, differs) {
    if (left.length !== right.length) return differs("another number of parts");
    left.forEach((child, at) => walk(child, right[at]));
  }

  /** One symbol of the source is one symbol of what is served. */
  function same(symbol, shown, source, kept, differs) {
    names += 1;
    if (source.text !== kept.text) shorter += 1;
    if (!symbol !== !shown) return differs("a name that is declared in one of both");
    if (!symbol) return source.text === kept.text || differs("another name from outside");
    if ((there.get(symbol) ?? shown) !== shown || (back.get(shown) ?? symbol) !== symbol) return differs("two things of one name");
    there.set(symbol, shown);
    back.set(shown, symbol);
  }
}

/** What a name stands for, if the script itself declares it as a variable; a member has its name. */
function symbolOf({ file, checker }, name) {
  const parent = name.parent;
  const isShorthand = ts.isShorthandPropertyAssignment(parent) && parent.name === name;
  if (!isShorthand && isMember(name, parent)) return null;
  const symbol = isShorthand ? checker.getShorthandAssignmentValueSymbol(parent) : checker.getSymbolAtLocation(name);
  return symbol?.declarations?.some((declaration) => declaration.getSourceFile() === file) ? symbol : null;
}

/** Whether other scripts see this name, or it is one of an object's. */
function isMember(name, parent) {
  if (ts.isPrivateIdentifier(name)) return false;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === name) ||
    (ts.isPropertyAssignment(parent) && parent.name === name) ||
    (ts.isBindingElement(parent) && parent.propertyName === name) ||
    ((ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isAccessor(parent)) && parent.name === name) ||
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent) ||
    ts.isMetaProperty(parent)
  );
}

function children(node) {
  const parts = [];
  ts.forEachChild(node, (child) => void parts.push(child));
  return parts;
}

/** A key with its value, in an object or a pattern. */
function isPair(node) {
  return ts.isShorthandPropertyAssignment(node) || ts.isPropertyAssignment(node) || (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken);
}

/** The key of a pair, if it is not computed. */
function keyOf(pair) {
  const key = pair.propertyName ?? pair.name;
  return ts.isComputedPropertyName(key) ? null : key.text;
}

function pairParts(pair) {
  const key = pair.propertyName ?? pair.name;
  const value = ts.isPropertyAssignment(pair) ? [pair.initializer] : [pair.name, pair.initializer ?? pair.objectAssignmentInitializer];
  return [ts.isComputedPropertyName(key) ? key : undefined, ...value].filter((part) => part !== undefined);
}

function fail(path, file, at, why) {
  const { line, character } = file.getLineAndCharacterOfPosition(at);
  console.error(`${path}:${line + 1}:${character + 1}: ${why}; served: ${file.text.slice(at, at + 80)}`);
  process.exit(1);
}
