import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Links, Presence } from './features/devices/index.ts';
import type { MonitoringFeature } from './features/monitoring/index.ts';
import type { TelemetryFeature } from './features/telemetry/index.ts';
import type { TunnelsFeature } from './features/tunnels/index.ts';
import type { Events } from './platform/events/events.ts';
import type { HostServer } from './platform/http/host-server.ts';

/** What writes of a closing server may take before they are given up, in milliseconds. */
const writeGrace = 5_000;

interface Closing {
  app: FastifyInstance;
  hostServer: HostServer | undefined;
  events: Events;
  presence: Presence;
  links: Links;
  telemetry: Pick<TelemetryFeature, 'stop'>;
  tunnels: Pick<TunnelsFeature, 'live' | 'endpoints' | 'jumpHost'>;
  monitoring: Pick<MonitoringFeature, 'stop'>;
  diagnostics: { stop(): Promise<void> };
}

/**
 * Stops accepting, asks devices to leave, lets requests finish within `graceMs`, cuts what is left. What a client
 * or a device does cannot make it longer.
 */
export async function closeServer(parts: Closing, graceMs: number): Promise<void> {
  const { app, hostServer, events, presence, links, tunnels, monitoring, diagnostics, telemetry } = parts;
  // Collections are broken off at once and written down as such: their controllers would not be waited for.
  const flushed = Promise.all([presence.stop(), diagnostics.stop(), telemetry.stop()]);
  links.goAway(graceMs);
  hostServer?.refuseReuse();
  tunnels.endpoints.drain();
  events.publish('serverStopping', {});
  const closed = Promise.all([app.close(), tunnels.jumpHost.close()]);
  await within(graceMs, Promise.all([hostServer?.whenIdle(), tunnels.endpoints.whenIdle()]));
  const noted = tunnels.live.stop();
  monitoring.stop();
  await links.closeAll();
  tunnels.endpoints.close();
  hostServer?.cutAll();
  await Promise.all([closed, within(writeGrace, flushed), within(writeGrace, noted)]);
}

/** Waits for `work`, but no longer than `milliseconds`. */
async function within(milliseconds: number, work: Promise<unknown> | undefined): Promise<void> {
  const timeout = new AbortController();
  const expired = delay(milliseconds, undefined, { signal: timeout.signal }).catch(() => {
    // The work was done earlier.
  });
  await Promise.race([work, expired]);
  timeout.abort();
}
