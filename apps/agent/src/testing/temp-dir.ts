import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that goes with the test. */
export function createTempDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'pult-agent-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
