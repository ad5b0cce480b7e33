/**
 * npm runs a script in a shell, and a signal that ends npm or the shell does not reach the script. So a script that was
 * started by npm looks whether they are still there.
 */

import { readFileSync } from 'node:fs';

const interval = 500;

/** Calls `onGone` once when the npm that started this process has ended. Does nothing when there was none. */
export function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event) return;
  const { ppid: parent } = process;
  const grandparent = isShell(parent) ? readParent(parent) : undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent && (grandparent === undefined || readParent(parent) === grandparent)) return;
    clearInterval(timer);
    onGone();
  }, interval);
  timer.unref();
}

function isShell(pid) {
  return /^(ba|da|z|k|a)?sh$/.test(readProc(pid, 'comm').trim());
}

/** The second number after the name, which stands in parentheses and may hold anything. */
function readParent(pid) {
  const stat = readProc(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
