import type { Logger } from '../../../platform/log.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';
import type { OldAlgorithmsRepository } from './old-algorithms.repository.ts';

/** For one login: which old algorithms count as taken, and those that it then uses, remembered for the controller. */
export function createTakenAlgorithms(
  { oldAlgorithms, log }: { oldAlgorithms: OldAlgorithmsRepository; log: Logger },
  access: TunnelAccess,
  taken: readonly string[] = [],
) {
  let used: readonly string[] = [];
  return {
    taken,
    getTaken: () => oldAlgorithms.get(access),
    async onUsed(algorithms: readonly string[]) {
      used = algorithms;
      if (!(await oldAlgorithms.add(access, algorithms))) return;
      log.warn({ serialNumber: access.serialNumber, algorithms }, 'a device speaks old SSH');
    },
    /** For the audit log. */
    describe: (): { algorithms?: string } => (used.length === 0 ? {} : { algorithms: used.join(', ') }),
  };
}
