/** Brings node_modules in line with package-lock.json. Until that is done, nothing but Node's own modules can be loaded. */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root, runCommand } from './processes.mjs';
import { PlainError, printRow, runStep } from './terminal.mjs';

const oldest = '20.19';

/** Fails with a plain message on a Node that cannot run the product. */
export function requireNode(version = process.versions.node) {
  if (version.localeCompare(oldest, 'en', { numeric: true }) >= 0) return;
  throw new PlainError(
    `Pult needs Node.js ${oldest} or newer; this is ${version}.\nGet it from https://nodejs.org or from your package manager.`,
  );
}

/**
 * All packages, or only those that a start needs: what Pult runs with and is built by. Those for development are twice as many.
 * @param {{ withTools?: boolean }} [extent]
 */
export async function ensureInstalled({ withTools = true } = {}) {
  requireNode();
  if (isInstalled(root, { withTools })) {
    printRow('passed', 'dependencies', 'up to date');
    return;
  }
  await runStep('dependencies', async () => {
    const { code, output } = await runNpm([
      'ci',
      // Whatever NODE_ENV says. A project that has its tools keeps them.
      withTools || hasTools(root) ? '--include=dev' : '--omit=dev',
      '--no-audit',
      '--no-fund',
      '--progress=false',
      '--loglevel=error',
    ]);
    if (code !== 0) throw new PlainError(explainFailure(output));
    return 'installed';
  });
}

/** Lets this process import TypeScript. The packages are needed for that, so they are installed first. */
export async function ensureTypeScript() {
  await ensureInstalled();
  const { register } = await import('tsx/esm/api');
  register();
}

/**
 * @typedef {{
 *   version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean,
 *   link?: boolean, resolved?: string, os?: string[], cpu?: string[], libc?: string[],
 * }} LockedPackage
 */

/**
 * npm writes node_modules/.package-lock.json as the last act of an install, so it is the record of what is there.
 * Optional packages count only when they are made for this machine.
 * @param {string} directory
 * @param {{ withTools?: boolean }} [extent]
 */
export function isInstalled(directory, { withTools = true } = {}) {
  const wanted = readPackages(join(directory, 'package-lock.json'));
  const present = readPresent(directory);
  if (!wanted)
    throw new PlainError('package-lock.json is missing or damaged; get a fresh copy of the project.');
  if (!present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || !path.includes('node_modules/')) return true;
    const { dev } = (entry.link && wanted[entry.resolved ?? '']) || entry;
    if (dev && !withTools) return true;
    const found = present[path];
    if (found) return found.version === entry.version && found.integrity === entry.integrity;
    return entry.optional === true || entry.devOptional === true
      ? !isForThisMachine(entry)
      : entry.peer === true;
  });
}

/** @param {string} directory */
function hasTools(directory) {
  return Object.entries(readPresent(directory) ?? {}).some(
    ([path, { dev }]) => dev && path.includes('node_modules/'),
  );
}

/** @param {LockedPackage} entry */
function isForThisMachine({ os, cpu, libc }) {
  if (!os || !cpu || libc) return false;
  return os.includes(process.platform) && cpu.includes(process.arch);
}

/** @param {string} directory */
const readPresent = (directory) => readPackages(join(directory, 'node_modules', '.package-lock.json'));

/**
 * @param {string} path
 * @returns {Record<string, LockedPackage> | undefined}
 */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** @param {string[]} args */
async function runNpm(args) {
  // The npm that runs us, when one does: the first in PATH may be another.
  const script = process.env.npm_execpath;
  const own = script && basename(script) === 'npm-cli.js';
  try {
    return await (own ? runCommand(process.execPath, [script, ...args]) : runCommand('npm', args));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new PlainError('npm was not found; it comes with Node.js.');
    throw error;
  }
}

/** @param {string} output */
function explainFailure(output) {
  const reason = /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET/.test(output)
    ? 'The package registry cannot be reached: check the network or the proxy, then run the command again.'
    : /ENOSPC/.test(output)
      ? 'The disk is full.'
      : /EACCES|EPERM|EROFS/.test(output)
        ? 'This folder cannot be written to.'
        : 'npm could not install the dependencies.';
  return `${reason}\n\n${output.trim().split('\n').slice(-15).join('\n')}`;
}
