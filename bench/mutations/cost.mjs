/**
 * What tests take of the processor. Whether a mutant runs for ever is told by that and not by the clock: on a busy machine
 * every run is slow, and a survivor's would count as killed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** @typedef {{ seconds: number, tests: Record<string, number> }} Cost Of all tests, and each one's milliseconds by the clock. */

/** In the copy, as it outlives the process, which Stryker starts anew after a run without an end. */
const file = 'mutation-cost.json';

export const processMeter = {
  /** Of this process with its threads. */
  readSeconds() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
  /** @param {Cost} cost */
  save: (cost) => writeFileSync(file, JSON.stringify(cost)),
  /** @returns {Cost | undefined} */
  load: () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined),
};

/** @typedef {typeof processMeter} Meter */

/** For what happens once a run and not once a test. */
const spareSeconds = 10;

/**
 * Three times what these tests took before, in seconds; a new worker also loads what they need, which all tests do.
 * @param {Cost} cost @param {readonly string[] | undefined} tests @param {'kept' | 'new'} worker
 */
export function budgetOf({ seconds, tests: known }, tests, worker) {
  const sum = (/** @type {readonly string[]} */ ids) =>
    ids.reduce((total, id) => total + (known[id] ?? 0), 0);
  const all = Object.keys(known);
  const share = sum(all) === 0 ? 1 : sum(tests ?? all) / sum(all);
  return spareSeconds + seconds * (3 * share + (worker === 'new' ? 1 : 0));
}

/**
 * What `start` resolves to, or undefined once it has used so many seconds.
 * @template T @param {Meter} meter @param {number} budget @param {() => Promise<T>} start @returns {Promise<T | undefined>}
 */
export async function runWithin(meter, budget, start) {
  const since = meter.readSeconds();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<undefined>} */
  const over = new Promise((resolve) => {
    timer = setInterval(() => meter.readSeconds() - since > budget && resolve(undefined), 1000);
  });
  try {
    return await Promise.race([start(), over]);
  } finally {
    clearInterval(timer);
  }
}
