import type { DeviceKind } from '../device-kind.ts';
import { serveAgentFiles } from './agent-files.ts';
import { registerDeviceRoutes } from './device.routes.ts';
import { createLinkUpgradeHandler } from './link-upgrade-handler.ts';
import { createLoadShedding } from './load-shedding.ts';
import type { NativeLinkOptions } from './native-connection.ts';

export type { NativeLinkOptions } from './native-connection.ts';

/** Devices with our own agent: they enrol over HTTP and hold one connection, which they open themselves. */
export function createNativeLink(options?: NativeLinkOptions): DeviceKind {
  return {
    name: 'native-link',
    create({ log, tracing, publicUrl }, dependencies) {
      const { challenges, enrolments, limits, hold, links, getNodeId, agents, agentDirectory, addressOf } =
        dependencies;
      return {
        hosts: [createLoadShedding(limits, enrolments.admission)],
        upgrades: [
          createLinkUpgradeHandler({
            ...{ enrolments, challenges, limits, addressOf, hold, links, getNodeId, log },
            options: { traceRequest: tracing.traceRequest, ...options },
          }),
        ],
        async routes({ app }) {
          await registerDeviceRoutes(app, { challenges, enrolments, limits });
          if (!agentDirectory) return;
          const { runtimesDirectory } = agents;
          await serveAgentFiles(app, { directory: agentDirectory, runtimesDirectory, publicUrl, log });
        },
      };
    },
  };
}
