import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Events } from './platform/events/events.ts';
import type { Feature } from './platform/feature.ts';
import type { HostServer } from './platform/http/host-server.ts';
import type { Logger } from './platform/log.ts';

/** What the last words and writes of a closing server may take before they are given up, in milliseconds. */
const defaultWriteGrace = 5_000;

interface Closing {
  /** In the order in which they were started. */
  features: readonly Feature[];
  app: Pick<FastifyInstance, 'close'>;
  hostServer: Pick<HostServer, 'refuseReuse' | 'whenIdle' | 'cutAll'> | undefined;
  events: Events;
  log: Logger;
  /** Where there are others that those who come may go to: resolves when they know that this one leaves. */
  leave?: (() => Promise<void>) | undefined;
  writeGraceMs?: number | undefined;
}

/**
 * Closes in phases. No client, device or feature can make it last longer than `graceMs` and the grace of the writes.
 * A feature that fails in a phase is logged, and stops none of the others.
 */
export async function closeServer(parts: Closing, graceMs: number): Promise<void> {
  const { app, hostServer, events, log, leave, writeGraceMs = defaultWriteGrace } = parts;
  // Who stands on others goes first: a tunnel is written down as ended by the stop, not by the loss of its device.
  const features = parts.features.toReversed();

  /** Begins the phase everywhere at once; resolves when it is over everywhere. Never rejects. */
  function runPhase(phase: 'drain' | 'whenIdle' | 'stop'): Promise<unknown> {
    return Promise.all(
      features.map(async (feature) => {
        try {
          await feature[phase]?.(graceMs);
        } catch (error) {
          log.error({ err: error, feature: feature.name, phase }, 'feature not stopped cleanly');
        }
      }),
    );
  }

  if (leave) {
    hostServer?.refuseReuse();
    await leave();
  }

  // Drain. Nothing new comes in, and whoever waits for nothing leaves: devices begin to come to another server, and work
  // that only the server waits for is broken off.
  const drained = runPhase('drain');
  hostServer?.refuseReuse();
  // Event streams, terminals and SSH sessions would never end by themselves.
  events.publish('serverStopping', {});
  const closed = app.close();

  // Wait idle. Requests under way, through tunnels too, are answered: their people and devices are still connected.
  await within(graceMs, Promise.all([hostServer?.whenIdle(), runPhase('whenIdle')]));

  // Stop. What is left is cut by whoever knows what it is, politely and written down, before the plain connections are.
  await within(writeGraceMs, Promise.all([drained, runPhase('stop')]));
  hostServer?.cutAll();
  await closed;
}

/** Waits for `work`, but no longer than `milliseconds`. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  const expired = delay(milliseconds, undefined, { signal: timeout.signal }).catch(() => {
    // The work was done earlier.
  });
  await Promise.race([work, expired]);
  timeout.abort();
}
