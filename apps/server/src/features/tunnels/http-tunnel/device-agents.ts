import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Links } from '../../devices/index.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';
import { connectInterface } from './connect-interface.ts';

/** Connections to one controller's web server at once; browsers open six for each of a few tabs. */
const maxSockets = 64;
/** As many are kept as are used at once: opening one anew for each request costs more than the request. */
const maxFreeSockets = maxSockets;
/** Small web servers have few places: an idle connection gives its own back. */
const idleTimeoutMs = 15_000;

/** An HTTP agent whose connections are streams of a device's link. */
class DeviceAgent extends Agent {
  private readonly connect: () => Promise<Duplex>;
  private readonly idle = new WeakMap<Duplex, NodeJS.Timeout>();

  constructor(connect: () => Promise<Duplex>) {
    super({ keepAlive: true, maxSockets, maxFreeSockets });
    this.connect = connect;
  }

  override createConnection(
    _options: unknown,
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.connect().then(
      (stream) => {
        // In the pool nobody listens, and an error that nobody hears would end the process.
        stream.on('error', () => {});
        // As TCP sockets do by themselves: a device that ends its side must not look alive in the pool.
        stream.once('end', () => stream.end());
        stream.once('close', () => clearTimeout(this.idle.get(stream)));
        done?.(null, stream);
      },
      // Node's own signature wants a stream beside an error, and reads none.
      (error: Error) => done?.(error, undefined as never),
    );
    return undefined;
  }

  override keepSocketAlive(stream: Duplex) {
    const timer = setTimeout(() => stream.destroy(), idleTimeoutMs);
    timer.unref();
    this.idle.set(stream, timer);
    return super.keepSocketAlive(stream);
  }

  override reuseSocket(stream: Duplex, request: Parameters<Agent['reuseSocket']>[1]): void {
    clearTimeout(this.idle.get(stream));
    super.reuseSocket(stream, request);
  }
}

export interface DeviceAgents {
  get(access: TunnelAccess): Agent;
  close(): void;
}

/** One small pool of connections per web interface of each linked device. */
export function createDeviceAgents(links: Links): DeviceAgents {
  const devices = new Map<string, Map<string, Agent>>();

  function forget(enrolmentId: string): void {
    for (const agent of devices.get(enrolmentId)?.values() ?? []) agent.destroy();
    devices.delete(enrolmentId);
  }
  // Pooled streams of a link that is gone are dead.
  links.onChange(forget);

  return {
    get(access) {
      const agents = devices.get(access.enrolmentId) ?? new Map<string, Agent>();
      devices.set(access.enrolmentId, agents);
      // A service that is spoken to otherwise than before has other connections.
      const name = `${access.port ?? ''} ${access.scheme ?? ''}`;
      const agent = agents.get(name) ?? new DeviceAgent(() => connectInterface(links, access));
      agents.set(name, agent);
      return agent;
    },
    close() {
      for (const enrolmentId of [...devices.keys()]) forget(enrolmentId);
    },
  };
}
