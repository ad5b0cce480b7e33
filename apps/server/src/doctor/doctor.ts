import type { DoctorCheckName } from '@pult/contract';
import type { Config } from '../config/config.ts';
import { createExamination, type Examination } from './examination.ts';
import { describeError, type Finding, type FindingStatus, fail } from './finding.ts';

/** What the doctor looks at. One is a file in checks/ and a line in checks/index.ts. */
export interface DoctorCheck {
  name: DoctorCheckName;
  /** Findings; none where nothing of it is set. What it opens it closes when the signal fires. */
  run(examination: Examination): Promise<readonly Finding[]>;
}

export interface CheckFinding extends Finding {
  check: DoctorCheckName;
}

export interface Diagnosis {
  /** The worst of its findings. */
  status: FindingStatus;
  findings: readonly CheckFinding[];
}

/** Of one check: whoever does not answer keeps none of the others waiting, and nobody for longer. */
const checkTimeoutMs = 10_000;

/** Looks at everything at once; changes nothing. Never rejects, and never takes much longer than `timeoutMs`. */
export async function examine(
  config: Config,
  checks: readonly DoctorCheck[],
  timeoutMs = checkTimeoutMs,
): Promise<Diagnosis> {
  const ending = new AbortController();
  const examination = createExamination(config, ending.signal, timeoutMs);
  const found = await Promise.all(checks.map((check) => runCheck(check, examination, timeoutMs)));
  ending.abort();
  await examination.close();
  const findings = found.flat();
  const worst = (['fail', 'warn'] as const).find((status) => findings.some((each) => each.status === status));
  return { status: worst ?? 'ok', findings };
}

async function runCheck(
  { name, run }: DoctorCheck,
  examination: Examination,
  timeoutMs: number,
): Promise<CheckFinding[]> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<Finding[]>((resolve) => {
    const late = fail(
      `no answer within ${timeoutMs / 1000} s`,
      'Look whether the machine or the network in between holds it up.',
    );
    timer = setTimeout(() => resolve([late]), timeoutMs);
  });
  const work = run(examination).catch((error: unknown) => [
    fail(`could not be looked at: ${describeError(error)}`, 'If the text does not help, report it as a bug.'),
  ]);
  try {
    return (await Promise.race([work, expired])).map((finding) => ({ check: name, ...finding }));
  } finally {
    clearTimeout(timer);
  }
}

/** For people: one line a finding, and under it what to do. */
export function formatDiagnosis({ status, findings }: Diagnosis): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, status: each, text, action }) => [
    `${each.padEnd(4)}  ${check.padEnd(width)}  ${text}`,
    ...(action === undefined ? [] : [`${' '.repeat(width + 8)}→ ${action}`]),
  ]);
  const counts = (['ok', 'warn', 'fail'] as const).map(
    (each) => `${findings.filter((finding) => finding.status === each).length} ${each}`,
  );
  return `${[...lines, '', `${status}: ${counts.join(', ')}`].join('\n')}\n`;
}
