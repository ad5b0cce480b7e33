import { runPackageProgram } from './processes.mjs';
import { type Counts, openReport } from './test-report.ts';

/** What we read of Vitest's JSON report. */
export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    /** Why the file could not be loaded. */
    message?: string;
    assertionResults: {
      status: string;
      fullName: string;
      duration?: number | null;
      failureMessages?: string[];
    }[];
  }[];
}

export const unitReport = openReport<VitestReport>('vitest.json');

/** Runs Vitest over everything and says how many tests passed; expects a build. */
export async function runUnitTests(): Promise<Counts> {
  unitReport.remove();
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport.path}`];
  const { code } = await runPackageProgram('vitest', args, { output: 'show' });
  return countUnitTests(code, unitReport.read());
}

/**
 * A file that could not be loaded counts as a failure, and so does a run that failed without a failed test or ran
 * none.
 */
export function countUnitTests(code: number, report: VitestReport | undefined): Counts {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  const isSound = (code === 0 && report.numPassedTests > 0) || failed > 0;
  return {
    passed: report.numPassedTests,
    failed: isSound ? failed : failed + 1,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
