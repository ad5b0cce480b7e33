/** The end-to-end tests in a real browser: `npm run e2e`. Arguments go to Playwright. */

import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runPackageProgram, stopChildrenOnSignals } from './processes.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { runTool } from './terminal.mjs';
import { openReport } from './test-report.mjs';

export const endToEndReport = openReport('e2e.json');

/** Runs the built product in Chromium and says how many tests passed; expects a build. */
export async function runEndToEndTests(args = []) {
  endToEndReport.remove();
  const env = {
    ...process.env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: endToEndReport.path,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  };
  const { code } = await runPackageProgram(
    'playwright',
    ['test', '--config', 'tests/e2e/playwright.config.ts', '--reporter', 'list,json', ...args],
    { output: 'show', env },
  );
  return countEndToEndTests(code, endToEndReport.read());
}

/** A runner that failed without a failed test, or ran none, is a failure of its own. */
export function countEndToEndTests(code, result) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = result?.stats ?? {};
  const failed = unexpected + flaky;
  const isSound = (code === 0 && expected > 0) || failed > 0;
  return { passed: expected, failed: isSound ? failed : failed + 1, skipped };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  stopChildrenOnSignals();
  await runTool(async () => {
    await ensureInstalled();
    await ensureSystemPackages();
    await ensureBuilt();
    const { failed } = await runEndToEndTests(process.argv.slice(2));
    if (failed > 0) process.exitCode = 1;
  });
}
