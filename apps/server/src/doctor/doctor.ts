import type { DoctorCheckName, Locale } from '@pult/contract';
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

/** A diagnosis in one language. */
export interface SaidDiagnosis {
  status: FindingStatus;
  findings: readonly { check: DoctorCheckName; status: FindingStatus; text: string; action?: string }[];
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
      { en: `no answer within ${timeoutMs / 1000} s`, ru: `нет ответа за ${timeoutMs / 1000} с` },
      {
        en: 'Look whether the machine or the network in between holds it up.',
        ru: 'Посмотрите, не задерживает ли его машина или сеть между ними.',
      },
    );
    timer = setTimeout(() => resolve([late]), timeoutMs);
  });
  const work = run(examination).catch((error: unknown) => [
    fail(
      {
        en: `could not be looked at: ${describeError(error)}`,
        ru: `проверить не удалось: ${describeError(error)}`,
      },
      {
        en: 'If the text does not help, report it as a bug.',
        ru: 'Если текст не помогает, сообщите об ошибке.',
      },
    ),
  ]);
  try {
    return (await Promise.race([work, expired])).map((finding) => ({ check: name, ...finding }));
  } finally {
    clearTimeout(timer);
  }
}

export function sayDiagnosis({ status, findings }: Diagnosis, locale: Locale): SaidDiagnosis {
  return {
    status,
    findings: findings.map(({ text, action, ...finding }) => ({
      ...finding,
      text: text[locale],
      ...(action ? { action: action[locale] } : {}),
    })),
  };
}

/** For people: one line a finding, and under it what to do. */
export function formatDiagnosis({ status, findings }: SaidDiagnosis): string {
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
