import type { Core } from '../../platform/core.ts';
import { publishDeviceWork } from '../../platform/events/device-work.ts';
import type { Feature } from '../../platform/feature.ts';
import type { DeviceRouter, LocalLinks } from '../devices/index.ts';
import { readAgentPackage } from './agent-package.ts';
import { createAgentUpdatesRepository } from './agent-updates.repository.ts';
import { registerAgentUpdateRoutes } from './agent-updates.routes.ts';
import { createAgentUpdatesService } from './agent-updates.service.ts';
import { createRunningUpdatesRepository } from './running-updates.repository.ts';
import { createRunningUpdates } from './running-updates.ts';
import { createUpdateProgress, type UpdateProgress } from './update-progress.ts';
import { createUpdateWavesRepository } from './update-waves.repository.ts';
import { createUpdateWaves } from './update-waves.ts';

interface AgentUpdatesFeature extends Feature {
  /** Of all agents, for the administrators of the installation. */
  readonly progress: UpdateProgress;
  /** Of the agent that is handed out; undefined where there is none. */
  readonly version: string | undefined;
}

/** Updates of agents, put together. Rejects where the agent that is to be handed out cannot be read. */
export async function createAgentUpdatesFeature(
  core: Core,
  dependencies: {
    links: LocalLinks;
    router: DeviceRouter;
    /** The built agent; without it the server updates none. */
    agentDirectory?: string | undefined;
  },
): Promise<AgentUpdatesFeature> {
  const { db, node, events, secrets } = core;
  const { links, router, agentDirectory } = dependencies;
  const isAutomatic = core.config.agents.updatesThemselves;
  const agentPackage = agentDirectory ? await readAgentPackage(agentDirectory, secrets) : undefined;
  const repository = createRunningUpdatesRepository(db, node);
  const running = createRunningUpdates(core, { repository, agentPackage, links, router });
  const consider = (enrolmentIds: readonly string[]) =>
    publishDeviceWork(events, 'agentUpdate', enrolmentIds);
  const service = createAgentUpdatesService(core, {
    repository: createAgentUpdatesRepository(db),
    version: agentPackage?.version,
    consider,
  });
  const wavesRepository = createUpdateWavesRepository(db);
  const waves =
    agentPackage && isAutomatic
      ? createUpdateWaves(core, {
          repository: wavesRepository,
          version: agentPackage.version,
          router,
          consider,
        })
      : undefined;
  const tend = async () => {
    await running.tend();
    await waves?.advance();
  };
  return {
    name: 'agent-updates',
    jobs: [{ name: 'tend-agent-updates', schedule: '* * * * *', run: tend }],
    routes: ({ api }) => registerAgentUpdateRoutes(api, service),
    recoverFromCrash: running.releaseLeft,
    drain: running.stop,
    version: agentPackage?.version,
    progress: createUpdateProgress(core, {
      repository: wavesRepository,
      version: agentPackage?.version,
      isAutomatic,
    }),
  };
}
