import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export function addCounts(all: Counts[]): Counts {
  const sum = (key: keyof Counts) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** The report in JSON that a runner of tests leaves under `test-results`. */
export function openReport<Report>(name: string) {
  const path = join(root, 'test-results', name);
  return {
    path,
    /** Before a run, so that no older one is read. */
    remove: () => rmSync(path, { force: true }),
    /** Undefined where the runner left none that can be read. */
    read(): Report | undefined {
      try {
        return JSON.parse(readFileSync(path, 'utf8'));
      } catch {
        return undefined;
      }
    },
  };
}
