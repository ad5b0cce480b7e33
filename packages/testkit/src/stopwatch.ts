import { readFileSync } from 'node:fs';

/** Milliseconds for which the main thread of a process could have run while others had the processor; 0 where no kernel tells. */
function readHeldUp(pid: number): number {
  try {
    // The second figure, in nanoseconds.
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0; // another system, or it has ended
  }
}

/**
 * For a promise such as "within two seconds", which is one of the product and not of the machine: the milliseconds since
 * now, less those for which the machine held up this process, where the server of most tests runs, and the others that are
 * told. What they compute, sleep or wait for counts, and on a machine that has time for them so does all. On a busy one it
 * leaves out too much where a process that waits has other things to do meanwhile: how long a pause is, a test shows by moved timers.
 */
export function startStopwatch(...others: readonly { pid: number }[]): () => number {
  // What comes between two of these readings makes the answer longer, never shorter.
  const since = performance.now();
  const before = [process, ...others].map(({ pid }) => ({ pid, heldUp: readHeldUp(pid) }));
  return () => {
    const heldUp = before.map((then) => Math.max(0, readHeldUp(then.pid) - then.heldUp));
    return performance.now() - since - heldUp.reduce((sum, each) => sum + each, 0);
  };
}
