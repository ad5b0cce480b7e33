import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter } from 'vitest/node';

/** Where the reporter below writes to; it takes no options from a command line. */
export const unhandledErrorsVariable = 'PULT_UNHANDLED_ERRORS_FILE';

/**
 * A reporter of Vitest that keeps what was thrown outside of every test, as texts in JSON: a run fails of it, and
 * Vitest's own JSON report is silent about it.
 */
export default class UnhandledErrorsReporter implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly SerializedError[]) {
    const path = process.env[unhandledErrorsVariable];
    if (!path) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(errors.map(describe)));
  }
}

function describe({ name, message, stack, VITEST_TEST_PATH: file }: SerializedError): string {
  return [file && `while ${file} ran`, stack ?? `${name}: ${message}`].filter(Boolean).join('\n');
}
