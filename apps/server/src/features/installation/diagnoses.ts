import type { InstallationDiagnosis } from '@pult/contract';
import type { Diagnosis } from '../../doctor/doctor.ts';
import type { Clock } from '../../platform/clock.ts';

/** Looking asks strangers and the network: not more often than that, whoever wants to know. */
const anewAfterMs = 60_000;

/** What the doctor has found last; looked at anew where that is a minute ago, once for all who ask meanwhile. */
export function createDiagnoses({ examine, clock }: { examine: () => Promise<Diagnosis>; clock: Clock }) {
  let last: { at: number; diagnosis: InstallationDiagnosis } | undefined;
  let pending: Promise<InstallationDiagnosis> | undefined;

  async function look(): Promise<InstallationDiagnosis> {
    const { status, findings } = await examine();
    const at = clock.now();
    const diagnosis = {
      examinedAt: at.toISOString(),
      status,
      findings: findings.map(({ action = null, ...finding }) => ({ ...finding, action })),
    };
    last = { at: at.getTime(), diagnosis };
    return diagnosis;
  }

  return {
    async get(): Promise<InstallationDiagnosis> {
      if (last && clock.now().getTime() - last.at < anewAfterMs) return last.diagnosis;
      pending ??= look().finally(() => {
        pending = undefined;
      });
      return pending;
    },
  };
}
export type Diagnoses = ReturnType<typeof createDiagnoses>;
