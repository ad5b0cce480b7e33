/** Builds what is stale: `npm run build`. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readStamp, requireWritable, writeStamp } from './build-stamps.mjs';
import { ensureInstalled } from './install.mjs';
import { root, runCommand, runPackageProgram, stopChildrenOnSignals } from './processes.mjs';
import { PlainError, printRow, runStep, runTool } from './terminal.mjs';

const shared = ['package-lock.json', 'tsconfig.base.json', 'packages/contract'];

/**
 * `inputs` decide whether `output` is stale: any change in one of these files or folders makes it so.
 * @typedef {{ name: string, inputs: string[], output: string, build: (options: { env: NodeJS.ProcessEnv }) =>
 *   ReturnType<typeof runCommand> }} Target
 * @typedef {Target & { hash: string, times: string }} StampedTarget
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
    inputs: [
      ...shared,
      'packages/link',
      'packages/collector',
      'packages/frp',
      'packages/embedded-postgres',
      'packages/files',
      'apps/server',
    ],
    output: 'apps/server/dist/main.js',
    build: (options) => runCommand(process.execPath, ['apps/server/build.mjs'], options),
  },
  {
    name: 'agent',
    inputs: [...shared, 'packages/link', 'packages/collector', 'apps/agent', 'deploy'],
    output: 'apps/agent/dist/pult-agent.mjs',
    build: (options) => runCommand(process.execPath, ['apps/agent/build.mjs'], options),
  },
  {
    name: 'command line',
    inputs: [...shared, 'packages/link', 'apps/cli'],
    output: 'apps/cli/dist/pult.mjs',
    build: (options) => runCommand(process.execPath, ['apps/cli/build.mjs'], options),
  },
  {
    name: 'manual',
    inputs: ['package-lock.json', 'apps/manual', 'docs/en', 'docs/ru', 'docs/contents.json', 'docs/images'],
    output: 'apps/manual/dist/en/index.html',
    build: (options) => runCommand(process.execPath, ['apps/manual/build.mjs'], options),
  },
];

/**
 * Builds every stale target, all of them at once.
 * @returns {Promise<undefined>}
 */
export async function ensureBuilt() {
  const stale = targets
    .filter((target) => !isUntouched(target))
    // Times first: what is written while they are read counts as written since.
    .map((target) => ({ ...target, times: hashTimes(target.inputs), hash: hashInputs(target.inputs) }))
    .filter((target) => !isCurrent(target));
  if (stale.length === 0) {
    printRow('passed', 'build', 'up to date');
    return;
  }
  requireWritable(root);
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

/** @param {StampedTarget} target */
async function buildTarget(target) {
  const env = { ...process.env, NODE_ENV: 'production' };
  const { code, output } = await target.build({ env });
  const isMade = existsSync(join(root, target.output));
  if (code !== 0 || !isMade)
    return { name: target.name, code: code || 1, output: output || `${target.output} was not made.` };
  keepStamp(target);
  return { name: target.name, code: 0, output };
}

/**
 * Whether no input was written since the last look: reading all of them takes ten times as long as asking for their times.
 * @param {Target} target
 */
function isUntouched(target) {
  const { output, times } = readStamp(root, target.name);
  return output !== undefined && output === timeOfOutput(target) && times === hashTimes(target.inputs);
}

/**
 * Whether the inputs are those that the output was made of, whenever they were written.
 * @param {StampedTarget} target
 */
function isCurrent(target) {
  const { output, hash } = readStamp(root, target.name);
  if (output === undefined || output !== timeOfOutput(target) || hash !== target.hash) return false;
  keepStamp(target);
  return true;
}

/**
 * The output's own time is part of the stamp: one that somebody made by hand is stale.
 * @param {Target} target
 */
function timeOfOutput(target) {
  return statSync(join(root, target.output), { throwIfNoEntry: false })?.mtimeMs;
}

/** @param {StampedTarget} target */
function keepStamp(target) {
  const { name, hash, times } = target;
  writeStamp(root, name, { output: timeOfOutput(target), hash, times });
}

/** @param {string[]} inputs */
function hashTimes(inputs) {
  const hash = createHash('sha256');
  for (const path of inputs.flatMap((input) => listFiles(join(root, input)))) {
    const { mtimeMs, ctimeMs, size } = statSync(path);
    hash.update(`${relative(root, path)}\0${mtimeMs} ${ctimeMs} ${size}\0`);
  }
  return hash.digest('hex');
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
  return found.isDirectory() ? listFolder(path) : [path];
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function listFolder(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist' && !/\.test\.tsx?$/.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFolder(path) : [path];
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  stopChildrenOnSignals();
  await runTool(async () => {
    await ensureInstalled({ withTools: false });
    await ensureBuilt();
  });
}
