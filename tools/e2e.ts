/** The end-to-end tests in a real browser: `npm run e2e`. Arguments go to Playwright. */

import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { root, runPackageProgram } from './processes.mjs';
import { type Counts, openReport } from './suite/report.ts';
import { ensureSystemPackages } from './system-packages.ts';

/** What we read of Playwright's JSON report. */
export interface PlaywrightReport {
  config: { rootDir: string };
  suites: PlaywrightSuite[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

export interface PlaywrightSuite {
  title: string;
  specs?: {
    file: string;
    title: string;
    ok: boolean;
    tests: { results: { duration: number; errors?: { message?: string }[] }[] }[];
  }[];
  suites?: PlaywrightSuite[];
}

export const openEndToEndReport = (name: string) => openReport<PlaywrightReport>(`${name}.json`);

interface EndToEndOptions {
  report?: ReturnType<typeof openEndToEndReport>;
  output?: 'show' | 'capture';
  env?: Record<string, string>;
  timeoutMs?: number;
}

export async function main(args: string[]): Promise<void> {
  await ensureSystemPackages();
  await ensureBuilt();
  const { failed } = await runEndToEndTests(args);
  if (failed > 0) process.exitCode = 1;
}

/** Runs the built product in Chromium and says how many tests passed; expects a build. */
export async function runEndToEndTests(
  args: string[] = [],
  { report = openEndToEndReport('e2e'), output = 'show', env = {}, timeoutMs }: EndToEndOptions = {},
): Promise<Counts> {
  report.remove();
  const all = {
    ...process.env,
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report.path,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  };
  const reporters = ['list', 'json', join(root, 'tools/suite/log-playwright-worker.ts')];
  const { code } = await runPackageProgram(
    'playwright',
    ['test', '--config', 'tests/e2e/playwright.config.ts', '--reporter', reporters.join(','), ...args],
    { output, env: all, timeoutMs },
  );
  return countEndToEndTests(code, report.read());
}

/** A runner that failed without a failed test, or ran none, is a failure of its own. */
export function countEndToEndTests(
  code: number,
  report: Pick<PlaywrightReport, 'stats'> | undefined,
): Counts {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  const failed = unexpected + flaky;
  const isSound = (code === 0 && expected > 0) || failed > 0;
  return { passed: expected, failed: isSound ? failed : failed + 1, skipped };
}
