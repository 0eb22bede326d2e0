// Compiles the client and the packages of the games, as npm would install them: `node build.mjs [FOLDER]`. The packages are in
// FOLDER/node_modules, and the starters of each package in FOLDER. Needs only Node and `tsc`.
// `node build.mjs --pack FOLDER` writes packages for npm to FOLDER instead.

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const PROJECT = join(HERE, "..", "..");

/** The folders of all packages: what games share first. */
export function packages() {
  const games = join(PROJECT, "games");
  const folders = readdirSync(games).map((game) => join(games, game, "typescript"));
  return [HERE, ...folders.filter((folder) => existsSync(join(folder, "package.json"))).sort()];
}

/** Compiles everything into a folder. Returns the name and the new folder of each package. */
export function build(out) {
  const modules = join(out, "node_modules");
  const configs = join(out, "configs");
  for (const folder of [modules, configs]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [modules, configs]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(out, "package.json"), JSON.stringify({ private: true, type: "module" }));

  const built = [];
  for (const folder of packages()) {
    const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const installed = join(modules, name);
    built.push({ name, folder: installed });
    configure(configs, name, join(folder, "src"), join(installed, "dist"), modules);
    if (existsSync(join(folder, "examples"))) configure(configs, `${name}-examples`, join(folder, "examples"), out, modules);
    for (const [from, file] of [[folder, "package.json"], [folder, "README.md"], [PROJECT, "LICENSE-APACHE"], [PROJECT, "LICENSE-MIT"]]) {
      if (existsSync(join(from, file))) copyFileSync(join(from, file), join(installed, file));
    }
  }
  // One process for all, because starting the compiler takes the most time. It builds in this order.
  const { error, status, stdout } = spawnSync("tsc", ["--build", ...readdirSync(configs).map((file) => join(configs, file))], { encoding: "utf8" });
  if (error || status !== 0) throw new Error(`tsc: ${error?.message ?? stdout}`);
  rmSync(configs, { recursive: true });
  return built;
}

/** Writes the configuration of one folder with sources. */
function configure(configs, name, rootDir, outDir, modules) {
  mkdirSync(outDir, { recursive: true });
  const order = String(readdirSync(configs).length).padStart(2, "0");
  const paths = { "*": [join(modules, "*", "dist", "index.d.ts")] };
  const isExample = outDir !== join(modules, name, "dist");
  const tsBuildInfoFile = join(configs, `${order}-${name}.tsbuildinfo`);
  const compilerOptions = { rootDir, outDir, paths, tsBuildInfoFile, declaration: !isExample };
  const include = [join(rootDir, "**", "*.ts"), join(HERE, "types", "*.d.ts")];
  writeFileSync(join(configs, `${order}-${name}.json`), JSON.stringify({ extends: join(HERE, "tsconfig.json"), compilerOptions, include }));
}

/** Writes a package for npm of each folder. Returns the names of the files. */
function pack(destination) {
  const out = join(destination, "npm");
  const folders = build(out).map(({ folder }) => folder);
  // `npm pack` asks no registry for a folder.
  const args = ["pack", "--silent", "--offline", "--pack-destination", destination, ...folders];
  const { error, status, stdout, stderr } = spawnSync("npm", args, { encoding: "utf8" });
  if (error || status !== 0) throw new Error(`npm: ${error?.message ?? stderr}`);
  rmSync(out, { recursive: true });
  return stdout.trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const [first, second] = process.argv.slice(2);
    if (first === "--pack" && second === undefined) throw new Error("usage: node build.mjs [FOLDER] | --pack FOLDER");
    if (first === "--pack") console.log(pack(resolve(second)));
    else build(resolve(first ?? join(HERE, "out")));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
