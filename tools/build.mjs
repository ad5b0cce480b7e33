/** Builds what is stale: `npm run build`. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { root, runCommand, runPackageProgram, stopChildrenOnSignals } from './processes.mjs';
import { PlainError, printRow, runStep, runTool } from './terminal.mjs';

const shared = ['package-lock.json', 'tsconfig.base.json', 'packages/contract'];

/**
 * `inputs` decide whether `output` is stale: any change in one of these files or folders makes it so.
 * @typedef {{ name: string, inputs: string[], output: string, build: (options: { env: NodeJS.ProcessEnv }) =>
 *   ReturnType<typeof runCommand> }} Target
 */

/** @type {Target[]} */
const targets = [
  {
    name: 'console',
    inputs: [...shared, 'apps/console'],
    output: 'apps/console/dist/index.html',
    build: (options) => runPackageProgram('vite', ['build', 'apps/console', '--logLevel', 'warn'], options),
  },
  {
    name: 'server',
    inputs: [...shared, 'packages/link', 'apps/server'],
    output: 'apps/server/dist/main.js',
    build: (options) => runCommand(process.execPath, ['apps/server/build.mjs'], options),
  },
  {
    name: 'agent',
    inputs: [...shared, 'packages/link', 'apps/agent'],
    output: 'apps/agent/dist/pult-agent.mjs',
    build: (options) => runCommand(process.execPath, ['apps/agent/build.mjs'], options),
  },
];

/**
 * Builds every stale target, all of them at once.
 * @returns {Promise<undefined>}
 */
export async function ensureBuilt() {
  const stale = targets
    .map((target) => ({ ...target, hash: hashInputs(target.inputs) }))
    .filter((target) => readStamp(target.name) !== stampOf(target, target.hash));
  if (stale.length === 0) {
    printRow('passed', 'build', 'up to date');
    return;
  }
  await runStep('build', async () => {
    const results = await Promise.all(stale.map(buildTarget));
    const failed = results.filter((result) => result.code !== 0);
    if (failed.length > 0) {
      throw new PlainError(
        failed.map(({ name, output }) => `The ${name} could not be built.\n\n${output.trim()}`).join('\n\n'),
      );
    }
    return stale.map((target) => target.name).join(', ');
  });
}

/** @param {Target & { hash: string }} target */
async function buildTarget(target) {
  const env = { ...process.env, NODE_ENV: 'production' };
  const { code, output } = await target.build({ env });
  const isMade = existsSync(join(root, target.output));
  if (code !== 0 || !isMade)
    return { name: target.name, code: code || 1, output: output || `${target.output} was not made.` };
  const stamp = stampPath(target.name);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, stampOf(target, target.hash));
  return { name: target.name, code: 0, output };
}

/**
 * The output's own time is part of the stamp: one that somebody made by hand is stale.
 * @param {Target} target
 * @param {string} hash
 */
function stampOf(target, hash) {
  const output = statSync(join(root, target.output), { throwIfNoEntry: false });
  return output ? `${hash} ${output.mtimeMs}` : 'missing';
}

/** @param {string} name */
function stampPath(name) {
  return join(root, '.cache', 'build', name);
}

/** @param {string} name */
function readStamp(name) {
  try {
    return readFileSync(stampPath(name), 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string[]} inputs */
function hashInputs(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const path of listFiles(join(root, input))) {
      hash.update(relative(root, path)).update('\0').update(readFileSync(path)).update('\0');
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function listFiles(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .filter((name) => name !== 'node_modules' && name !== 'dist' && !/\.test\.tsx?$/.test(name))
    .flatMap((name) => listFiles(join(path, name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  stopChildrenOnSignals();
  await runTool(async () => {
    await ensureInstalled();
    await ensureBuilt();
  });
}
