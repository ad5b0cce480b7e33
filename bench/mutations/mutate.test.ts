import { expect, it } from 'vitest';
import { type MutantResult, sortResults } from './mutate.ts';

const createResult = (status: MutantResult['status'], statusReason?: string) =>
  ({ id: `${status} ${statusReason}`, status, statusReason }) as MutantResult;

it('a mutant that runs for ever is killed, and one whose tests only took too long is not measured', () => {
  const endless = createResult('Timeout', 'Hit limit reached (101/100)');
  const slow = createResult('Timeout');
  const killed = createResult('Killed');
  expect(sortResults([slow, killed, endless])).toMatchObject({
    killed: [killed, endless],
    survived: [],
    notMeasured: [slow],
  });
});

it('mutants that no test runs are counted as survivors, and those left out in no share', () => {
  const survivors = [createResult('Survived'), createResult('NoCoverage')];
  const others = [createResult('Ignored'), createResult('RuntimeError', 'No test ran')];
  const { killed, survived, notMeasured, leftOut } = sortResults([...survivors, ...others]);
  expect([killed, survived, notMeasured, leftOut]).toEqual([
    [],
    survivors,
    others.slice(1),
    others.slice(0, 1),
  ]);
});
