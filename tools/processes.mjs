/** Child processes of the tools: each belongs to the tool that started it and ends with it. */

import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Passes an end on to whatever is running, so that an interrupted tool leaves nothing behind. */
export function stopChildrenOnSignals() {
  for (const signal of signals) process.on(signal, endOnSignal);
}

/** Undoes it, for a tool that has an order of stopping of its own. */
export function leaveSignals() {
  for (const signal of signals) process.off(signal, endOnSignal);
}

/** @param {NodeJS.Signals} signal */
const endOnSignal = (signal) => endWithChildren(signal);

/**
 * @param {NodeJS.Signals} signal
 * @param {number} [code]
 */
export function endWithChildren(signal, code = signal === 'SIGINT' ? 130 : 143) {
  for (const child of children) child.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
  process.exit(code);
}

/**
 * Runs a command to its end. `output: 'show'` leaves its output on the terminal, `'capture'` returns it.
 * A signal counts as code 1, and so does an end after `timeoutMs`. Rejects only when it cannot be started.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: 'capture' | 'show', timeoutMs?: number }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runCommand(
  command,
  args,
  { cwd = root, env = process.env, output = 'capture', timeoutMs } = {},
) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      timeout: timeoutMs === undefined ? undefined : Math.ceil(timeoutMs),
      stdio: output === 'show' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    /** @type {Buffer[]} */
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.once('error', (error) => {
      children.delete(child);
      reject(error);
    });
    child.once('close', (code) => {
      children.delete(child);
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') });
    });
  });
}

/**
 * Runs a program of an installed package by the Node that runs us, whatever PATH says.
 * @param {string} name
 * @param {string[]} args
 * @param {Parameters<typeof runCommand>[2]} [options]
 */
export function runPackageProgram(name, args, options) {
  return runCommand(process.execPath, [join(root, 'node_modules', '.bin', name), ...args], options);
}
