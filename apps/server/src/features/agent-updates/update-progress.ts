import { type Installation, updateWaveShares } from '@pult/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import { DomainError } from '../../platform/errors.ts';
import { compareVersions } from '../devices/index.ts';
import type { UpdateWavesRepository } from './update-waves.repository.ts';

interface Dependencies {
  repository: UpdateWavesRepository;
  /** Of the agent that the server hands out. */
  version: string | undefined;
  isAutomatic: boolean;
}

/** What administrators of the installation see of the updates of all agents: figures, and no one's controllers. */
export type UpdateFigures = Omit<NonNullable<Installation['agentUpdates']>, 'problems'>;

export function createUpdateProgress(
  { db, clock }: Core,
  { repository, version, isAutomatic }: Dependencies,
) {
  async function getWave(of: string): Promise<UpdateFigures['wave']> {
    const state = await repository.getWave(of);
    if (!state) return null;
    const { begun, open } = await repository.countBegun(of);
    const { wave, stopped } = state;
    return {
      share: updateWaveShares[wave] ?? 1,
      begun,
      underWay: open,
      stopped: stopped ? { ...stopped, at: stopped.at.toISOString() } : null,
    };
  }

  return {
    async getFigures(): Promise<UpdateFigures> {
      const counts = [...(await repository.countVersions())];
      const sum = (rows: typeof counts) => rows.reduce((total, [, count]) => total + count, 0);
      const isOlder = (each: string) => version !== undefined && compareVersions(each, version) < 0;
      return {
        version: version ?? null,
        agents: sum(counts),
        older: sum(counts.filter(([each]) => isOlder(each))),
        isAutomatic,
        wave: version !== undefined && isAutomatic ? await getWave(version) : null,
      };
    },

    /** Begins the others although one did not link with the version. Those that were tried are not tried again. */
    async resume(caller: Caller): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const isResumed =
          version !== undefined &&
          isAutomatic &&
          (await repository.resumeWaves(transaction, version, clock.now()));
        if (!isResumed) throw new DomainError('agent_updates_not_stopped');
        await caller.audit('agent_updates.resumed', { subject: version }, transaction);
      });
    },
  };
}
export type UpdateProgress = ReturnType<typeof createUpdateProgress>;
