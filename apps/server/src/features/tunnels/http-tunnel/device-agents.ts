import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Links } from '../../devices/index.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';

/** Connections to one controller's web server at once; browsers open six for each of a few tabs. */
const maxSockets = 64;
const maxFreeSockets = 8;

/** An HTTP agent whose connections are streams of a device's link. */
class DeviceAgent extends Agent {
  private readonly connect: () => Promise<Duplex>;

  constructor(connect: () => Promise<Duplex>) {
    super({ keepAlive: true, maxSockets, maxFreeSockets });
    this.connect = connect;
  }

  override createConnection(
    _options: unknown,
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.connect().then(
      (stream) => done?.(null, stream),
      // Node's own signature wants a stream beside an error, and reads none.
      (error: Error) => done?.(error, undefined as never),
    );
    return undefined;
  }
}

export interface DeviceAgents {
  get(access: TunnelAccess): Agent;
  close(): void;
}

/** One small pool of connections per device, for as long as there is traffic. */
export function createDeviceAgents(links: Links): DeviceAgents {
  const agents = new Map<string, Agent>();

  links.onChange((enrolmentId) => {
    // Pooled streams of a link that is gone are dead.
    agents.get(enrolmentId)?.destroy();
    agents.delete(enrolmentId);
  });

  return {
    get({ enrolmentId, serialNumber }) {
      const known = agents.get(enrolmentId);
      if (known) return known;
      const agent = new DeviceAgent(() => links.openService({ enrolmentId, serialNumber }, 'http'));
      agents.set(enrolmentId, agent);
      return agent;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}
