import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { logWorker } from './worker-log.ts';

/** A reporter of Playwright that says in the log of workers which files run. */
export default class WorkerLogReporter implements Reporter {
  onTestBegin(test: TestCase, result: TestResult) {
    logWorker(`browser-${result.workerIndex}`, 'begins', test.location.file);
  }

  onTestEnd(test: TestCase, result: TestResult) {
    logWorker(`browser-${result.workerIndex}`, 'ends', test.location.file);
  }
}
