import { updateWaveShares } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import { createId } from '../../platform/ids.ts';
import { compareVersions, type DeviceRouter } from '../devices/index.ts';
import type { UpdateWavesRepository } from './update-waves.repository.ts';

/** Updates that are begun in a minute. */
const begunAtOnce = 500;

interface Dependencies {
  repository: UpdateWavesRepository;
  /** Of the agent that the server hands out. */
  version: string;
  router: Pick<DeviceRouter, 'isAnyReached'>;
  consider(enrolmentIds: readonly string[]): void;
}

/**
 * Brings the version of the server to all agents that are older: first to one of a hundred, then to ten of them, then to all. The next
 * wave begins when all of the one before have linked; nothing is begun any more when one did not.
 */
export function createUpdateWaves(
  { clock, log }: Core,
  { repository, version, router, consider }: Dependencies,
) {
  async function begin(older: readonly string[], count: number): Promise<void> {
    const candidates = await repository.listCandidates(version, older, Math.min(count, begunAtOnce));
    const createdAt = clock.now();
    const updates = candidates.map(({ controllerId, agentVersion }) => ({
      ...{ id: createId(), controllerId, fromVersion: agentVersion, toVersion: version, createdAt },
      ...{ mayDowngrade: false, requestedBy: null },
    }));
    const created = await repository.createUpdates(updates);
    consider(
      candidates
        .filter(({ controllerId }) => created.has(controllerId))
        .map(({ enrolmentId }) => enrolmentId),
    );
  }

  return {
    /** Called each minute. */
    async advance(): Promise<void> {
      const now = clock.now();
      await repository.beginWave(version, now);
      const { wave = 0, stopped } = (await repository.getWave(version)) ?? {};
      if (stopped) return;
      const { begun, open } = await repository.countBegun(version);
      const returned = await repository.findReturned(version);
      if (returned) {
        await repository.stopWaves(version, returned, now);
        log.warn(
          { version, begun, ...returned },
          'an agent did not link with this version: no more are updated',
        );
        return;
      }
      // Where no device reaches the server, none that is tried can.
      if (open > 0 && !(await router.isAnyReached())) return;
      const versions = await repository.countVersions();
      const older = [...versions.keys()].filter((each) => compareVersions(each, version) < 0);
      const all = [...versions.values()].reduce((sum, count) => sum + count, 0);
      const share = updateWaveShares[wave] ?? 1;
      const target = share === 1 ? Number.POSITIVE_INFINITY : Math.ceil(all * share);
      if (begun < target) await begin(older, target - begun);
      else if (open === 0) {
        await repository.setWave(version, wave + 1);
        log.info({ version, begun, wave: wave + 1 }, 'agents of a wave were updated, the next wave begins');
      }
    },
  };
}
