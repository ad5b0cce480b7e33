/**
 * Which worker runs which test file, a line for each beginning and each end. What hangs is named by it, and so are the files
 * that shared the modules of a flaky one.
 */

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../processes.mjs';

const path = join(root, 'test-results', 'workers.log');
/** Names the log to the processes that run the tests; without it nothing is written. */
const variable = 'PULT_WORKER_LOG';

/** Starts the log of a whole run. */
export function openWorkerLog(): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  process.env[variable] = path;
}

export function logWorker(worker: string | number, state: 'begins' | 'ends', file: string): void {
  const log = process.env[variable];
  if (log) appendFileSync(log, `${worker}\t${state}\t${file}\n`);
}

export interface WorkerFile {
  worker: string;
  /** An absolute path. */
  file: string;
  isRunning: boolean;
}

/** All files of the run in their order. */
export function readWorkerLog(): WorkerFile[] {
  return existsSync(path) ? parseWorkerLog(readFileSync(path, 'utf8')) : [];
}

export function parseWorkerLog(text: string): WorkerFile[] {
  const files: WorkerFile[] = [];
  for (const line of text.split('\n')) {
    const [worker, state, file] = line.split('\t');
    if (worker === undefined || file === undefined) continue;
    if (state === 'begins') files.push({ worker, file, isRunning: true });
    const ended = files.findLast((other) => other.worker === worker && other.file === file);
    if (state === 'ends' && ended) ended.isRunning = false;
  }
  return files;
}

/** The files that the worker of `file` ran before it. */
export function listNeighbours(files: readonly WorkerFile[], file: string): string[] {
  const index = files.findIndex((other) => other.file === file);
  const worker = files[index]?.worker;
  return files.slice(0, Math.max(index, 0)).flatMap((other) => (other.worker === worker ? [other.file] : []));
}
