/**
 * Counts of Vitest's JSON report. A file that could not be loaded counts as a failure, and so does a run that failed
 * without a failed test or ran none.
 */
export function countTests(code, result) {
  if (!result) return { passed: 0, failed: 1, skipped: 0 };
  const brokenFiles = result.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = result.numFailedTests + brokenFiles;
  const isSound = (code === 0 && result.numPassedTests > 0) || failed > 0;
  return {
    passed: result.numPassedTests,
    failed: isSound ? failed : failed + 1,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}
