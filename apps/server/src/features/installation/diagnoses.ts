import type { InstallationDiagnosis, Locale } from '@pult/contract';
import { type Diagnosis, sayDiagnosis } from '../../doctor/doctor.ts';
import type { Clock } from '../../platform/clock.ts';

/** Looking asks strangers and the network: not more often than that, whoever wants to know. */
const anewAfterMs = 60_000;

/** What the doctor has found last; looked at anew where that is a minute ago, once for all who ask meanwhile. */
export function createDiagnoses({ examine, clock }: { examine: () => Promise<Diagnosis>; clock: Clock }) {
  let last: { at: Date; diagnosis: Diagnosis } | undefined;
  let pending: Promise<{ at: Date; diagnosis: Diagnosis }> | undefined;

  async function look() {
    const diagnosis = await examine();
    last = { at: clock.now(), diagnosis };
    return last;
  }

  async function getLast() {
    if (last && clock.now().getTime() - last.at.getTime() < anewAfterMs) return last;
    pending ??= look().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  return {
    async get(locale: Locale): Promise<InstallationDiagnosis> {
      const { at, diagnosis } = await getLast();
      const { status, findings } = sayDiagnosis(diagnosis, locale);
      return {
        examinedAt: at.toISOString(),
        status,
        findings: findings.map(({ action = null, ...finding }) => ({ ...finding, action })),
      };
    },
  };
}
export type Diagnoses = ReturnType<typeof createDiagnoses>;
