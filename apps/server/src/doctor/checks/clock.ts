import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { DoctorCheck } from '../doctor.ts';
import { type Finding, fail, ok, warn } from '../finding.ts';

const warnSeconds = 2;
const failSeconds = 30;
const action = {
  en: 'Let a time service keep the clock: apt-get install systemd-timesyncd, or chrony.',
  ru: 'Поручите часы службе времени: apt-get install systemd-timesyncd или chrony.',
};

/** Codes of the second factor, links and certificates go by it. */
export const clock: DoctorCheck = {
  name: 'clock',
  async run({ openDatabase, config }) {
    const findings: Finding[] = [];
    const isKept = await readSynchronized();
    if (isKept === true)
      findings.push(ok({ en: 'a time service keeps the clock', ru: 'за часами следит служба времени' }));
    if (isKept === false)
      findings.push(
        warn(
          {
            en: 'no time service keeps the clock of this machine',
            ru: 'за часами этой машины не следит служба времени',
          },
          action,
        ),
      );
    if (config.database.url !== undefined) {
      const client = await openDatabase().catch(() => undefined);
      const asked = Date.now();
      const answer = await client?.query<{ at: number }>(
        'select extract(epoch from clock_timestamp())::float8 as at',
      );
      const at = answer?.rows[0]?.at;
      // The answer was on its way for half of the time.
      if (at !== undefined) findings.push(compare(at * 1000 - (asked + Date.now()) / 2));
    }
    return findings.length > 0
      ? findings
      : [
          ok({
            en: `it is ${new Date().toISOString()} here; nothing is there to compare it with`,
            ru: `здесь ${new Date().toISOString()}; сравнить не с чем`,
          }),
        ];
  },
};

function compare(differenceMs: number): Finding {
  const seconds = Math.abs(differenceMs) / 1000;
  if (seconds < warnSeconds)
    return ok({
      en: 'this machine and the database have the same time',
      ru: 'время этой машины и базы данных одинаковое',
    });
  const text = {
    en: `the clocks of this machine and of the database differ by ${seconds.toFixed(1)} s`,
    ru: `часы этой машины и базы данных расходятся на ${seconds.toFixed(1)} с`,
  };
  return seconds < failSeconds ? warn(text, action) : fail(text, action);
}

/** Undefined where systemd cannot tell, as in containers. */
async function readSynchronized(): Promise<boolean | undefined> {
  try {
    const args = ['show', '--property=NTPSynchronized', '--value'];
    const { stdout } = await promisify(execFile)('timedatectl', args, { timeout: 2_000 });
    return stdout.trim() === '' ? undefined : stdout.trim() === 'yes';
  } catch {
    return undefined;
  }
}
