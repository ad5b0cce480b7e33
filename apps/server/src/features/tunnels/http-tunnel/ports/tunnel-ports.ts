import { createSecureContext } from 'node:tls';
import type { Clock } from '../../../../platform/clock.ts';
import { DomainError } from '../../../../platform/errors.ts';
import type { Logger } from '../../../../platform/log.ts';
import type { WebInterface } from '../address.ts';
import { createWebEndpoint, type EndpointStrategy, type TunnelProxy } from '../strategy.ts';
import { openPortListener, type PortListener } from './port-listener.ts';
import type { TunnelPortsRepository } from './tunnel-ports.repository.ts';

interface Dependencies {
  proxy: TunnelProxy;
  repository: TunnelPortsRepository;
  log: Logger;
  clock: Clock;
  /** Address to listen on. */
  host: string;
  range: { from: number; to: number };
  /** The scheme and host name of the console, which the ports share with it. */
  publicUrl: string;
  /** PEM texts. */
  tls?: { cert: string; key: string } | undefined;
  /** How often it is written down what is used, in milliseconds. */
  sweepMs?: number | undefined;
}

/** A port without any traffic for so long may be taken over when none is free. */
const idleMinutes = 15;
/** From a port to the tunnel that it was asked for; without one nobody can be there. */
const openingMinutes = 1;
/** No tunnel lasts longer: after it nobody can be at a port that was not used. */
const forgottenHours = 12;

export interface TunnelPorts extends EndpointStrategy {
  /** Writes down which ports are in use, and stops listening on those that nobody can be at any more. */
  sweep(): Promise<void>;
}

/** Web interfaces by port: where no host names can be, each has a port of this server while it is used. */
export function createTunnelPorts(dependencies: Dependencies): TunnelPorts {
  const { proxy, repository, log, clock, host, range, publicUrl, sweepMs = 60_000 } = dependencies;
  const { protocol, hostname } = new URL(publicUrl);
  const opening = new Map<number, Promise<PortListener>>();
  const listeners = new Map<number, { listener: PortListener; usedAt: number }>();
  /** Where another program listens. */
  const taken = new Set<number>();
  let { tls } = dependencies;
  let timer: NodeJS.Timeout | undefined;

  const before = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds);

  /** Listens on a port for one interface; false where another program does. */
  async function listen(port: number, web: WebInterface, isReused: boolean): Promise<boolean> {
    try {
      const listener = listeners.get(port)?.listener ?? (await openOnce(port));
      listeners.set(port, { listener, usedAt: clock.now().getTime() });
      const { origin } = new URL(`${protocol}//${hostname}:${port}`);
      listener.hold(createWebEndpoint(web, { origin, hasOwnHost: false, isReused }));
      return true;
    } catch (error) {
      taken.add(port);
      log.warn({ port, err: error }, 'tunnel port not listened on');
      return false;
    }
  }

  /** Two who open the same interface at once wait for one listener. */
  async function openOnce(port: number): Promise<PortListener> {
    const pending = opening.get(port) ?? openPortListener({ host, port, tls }, proxy);
    opening.set(port, pending);
    try {
      return await pending;
    } finally {
      opening.delete(port);
    }
  }

  const ports: TunnelPorts = {
    find: () => undefined,

    async open({ controllerId, organizationId, serialNumber }, endpointPort, userId) {
      for (;;) {
        const assigned = await repository.assign({
          controllerId,
          endpointPort,
          organizationId,
          userId,
          range,
          excluded: [...taken],
          now: clock.now(),
          idleSince: before(idleMinutes * 60_000),
          openingSince: before(openingMinutes * 60_000),
        });
        if (!assigned) throw new DomainError('tunnel_ports_exhausted', { minutes: idleMinutes });
        const { port, isReused } = assigned;
        if (await listen(port, { serialNumber, port: endpointPort }, isReused)) {
          return new URL(`${protocol}//${hostname}:${port}`).origin;
        }
      }
    },

    async start() {
      for (const holder of await repository.list(before(forgottenHours * 3_600_000))) {
        const { port, serialNumber, endpointPort, isReused } = holder;
        const isInRange = port >= range.from && port <= range.to;
        if (isInRange) await listen(port, { serialNumber, port: endpointPort }, isReused);
      }
      const sweep = () =>
        ports.sweep().catch((error: Error) => log.error({ err: error }, 'tunnel ports not swept'));
      timer = setInterval(() => void sweep(), sweepMs);
      timer.unref();
    },

    async sweep() {
      // Another program may have left since.
      taken.clear();
      const now = clock.now().getTime();
      const used: number[] = [];
      for (const [port, entry] of listeners) {
        const { listener } = entry;
        if (listener.wasUsed()) {
          entry.usedAt = now;
          used.push(port);
        } else if (now - entry.usedAt > forgottenHours * 3_600_000) {
          listeners.delete(port);
          listener.close();
        }
      }
      if (used.length > 0) await repository.touch(used, clock.now());
    },

    async whenIdle() {
      await Promise.all([...listeners.values()].map(({ listener }) => listener.hostServer.whenIdle()));
    },

    drain() {
      clearInterval(timer);
      for (const { listener } of listeners.values()) listener.drain();
    },

    renewTls(pair) {
      createSecureContext(pair); // throws before any listener has another certificate than the rest
      tls = pair;
      for (const { listener } of listeners.values()) listener.renewTls(pair);
    },

    close() {
      clearInterval(timer);
      proxy.close();
      for (const { listener } of listeners.values()) listener.close();
      listeners.clear();
    },
  };
  return ports;
}
