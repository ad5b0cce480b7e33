/** How a tool ends whose services are to stop in an order. */

import { readFileSync } from 'node:fs';
import { leaveSignals } from './processes.mjs';

const interval = 500;
/** npm passes a Ctrl+C on that the terminal has sent us already; that is no second one. */
const echoTime = 500;

/**
 * `stop` is for the first signal, and says whether all went by itself; `kill` is for a second one, of somebody who does not
 * want to wait.
 * @param {() => Promise<boolean>} stop
 * @param {() => void} kill
 */
export function stopOnSignals(stop, kill) {
  /** @type {number | undefined} */
  let first;
  const onSignal = () => {
    const now = performance.now();
    if (first === undefined) {
      first = now;
      stop().then((isClean) => process.exit(isClean ? 0 : 1));
    } else if (now - first > echoTime) {
      kill();
      process.exit(130);
    }
  };
  leaveSignals();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  watchNpm(onSignal);
}

/**
 * Calls `onGone` once when the npm that started this process has ended. npm runs a script in a shell, and a signal that
 * ends npm or the shell does not reach the script.
 * @param {() => void} onGone
 */
function watchNpm(onGone) {
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

/** @param {number} pid */
function isShell(pid) {
  return /^(ba|da|z|k|a)?sh$/.test(readProc(pid, 'comm').trim());
}

/**
 * The second number after the name, which stands in parentheses and may hold anything.
 * @param {number} pid
 */
function readParent(pid) {
  const stat = readProc(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/**
 * @param {number} pid
 * @param {string} file
 */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
