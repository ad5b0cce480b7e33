import type { Agent } from 'node:http';
import { type PoolLimits, UpstreamAgent } from '../../../platform/http/reverse-proxy/upstream-agent.ts';
import type { DeviceReach } from '../../devices/index.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';
import { connectInterface } from './connect-interface.ts';

/** A user's share of one web interface: browsers open six connections to it each, however many their tabs. */
const maxSockets = 32;
const poolLimits: PoolLimits = {
  maxSockets,
  // As many are kept as are used at once: opening one anew for each request costs more than the request.
  maxFreeSockets: maxSockets,
  // Small web servers have few places: an idle connection gives its own back.
  idleTimeoutMs: 15_000,
};

export interface DeviceAgents {
  get(access: TunnelAccess): Agent;
  close(): void;
}

/**
 * One small pool of connections for each user of a web interface of a linked device: whoever lets requests hang waits
 * behind their own.
 */
export function createDeviceAgents(links: DeviceReach): DeviceAgents {
  const devices = new Map<string, Map<string, Agent>>();

  function forget(enrolmentId: string): void {
    for (const agent of devices.get(enrolmentId)?.values() ?? []) agent.destroy();
    devices.delete(enrolmentId);
  }
  // Pooled streams of a link that is gone are dead; those of one that waits go on.
  links.onChange((enrolmentId, change) => {
    if (change === 'link') forget(enrolmentId);
  });

  return {
    get(access) {
      const agents = devices.get(access.enrolmentId) ?? new Map<string, Agent>();
      devices.set(access.enrolmentId, agents);
      // An endpoint that is spoken to otherwise than before has other connections.
      const name = `${access.port ?? ''} ${access.scheme ?? ''} ${access.userId}`;
      const agent =
        agents.get(name) ??
        new UpstreamAgent(() => connectInterface(links, access, { mayPack: true }), poolLimits);
      agents.set(name, agent);
      return agent;
    },
    close() {
      for (const enrolmentId of [...devices.keys()]) forget(enrolmentId);
    },
  };
}
