/** Child processes of the tools: each belongs to the tool that started it and ends with it. */

import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const children = new Set();

/** Passes an end on to whatever is running, so that an interrupted tool leaves nothing behind. Returns how to undo it. */
export function stopChildrenOnSignals() {
  const onSignal = (signal) => {
    for (const child of children) child.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}

/**
 * Runs a command to its end. `output: 'show'` leaves its output on the terminal, `'capture'` returns it.
 * Resolves to `{ code, output }`; a signal counts as code 1. Rejects only when it cannot be started.
 */
export function runCommand(command, args, { cwd = root, env = process.env, output = 'capture' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: output === 'show' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
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

/** Runs a program of an installed package by the Node that runs us, whatever PATH says. */
export function runPackageProgram(name, args, options) {
  return runCommand(process.execPath, [join(root, 'node_modules', '.bin', name), ...args], options);
}
