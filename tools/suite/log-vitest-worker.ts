/** Vitest's set-up of each test file: says in the log of workers when the file begins and ends. */

import { afterAll, expect } from 'vitest';
import { logWorker } from './worker-log.ts';

const { testPath } = expect.getState();
if (testPath) {
  logWorker(process.pid, 'begins', testPath);
  afterAll(() => logWorker(process.pid, 'ends', testPath));
}
