import type { Duplex } from 'node:stream';
import { type LinkCloseReason, serveDeviceLink } from '@pult/link';
import type { Config } from '../config/settings.ts';
import { getDeviceInfo } from '../platform/device-info.ts';
import { connectService } from '../services/connect-service.ts';
import type { CollectDiagnostics } from '../services/diagnostics/diagnostics.ts';
import type { Telemetry } from '../services/telemetry/telemetry.ts';
import { announceActivation } from './activation.ts';
import type { Identity } from './identity.ts';
import type { StatusKeeper } from './status.ts';

interface ServeOptions {
  config: Config;
  identity: Identity;
  status: StatusKeeper;
  telemetry: Telemetry;
  collectDiagnostics: CollectDiagnostics;
  print(line: string): void;
  signal: AbortSignal;
}

/** How a link ended. */
interface LinkEnd {
  reason: LinkCloseReason;
  livedMs: number;
  /** Time over which the server asked its fleet to return; 0 when it did not. */
  graceMs: number;
}

/** Serves the cloud on an open connection until it ends, or until the signal says goodbye. */
export async function serveLink(socket: Duplex, options: ServeOptions): Promise<LinkEnd> {
  const { config, identity, status, telemetry, collectDiagnostics, print, signal } = options;
  const start = performance.now();
  let graceMs = 0;
  const link = serveDeviceLink(socket, {
    connectService: (name, gaveUp) => connectService(name, config, gaveUp),
    getInfo: () => getDeviceInfo(identity.serialNumber),
    putState: (state) => {
      telemetry.putState(state);
      announceActivation(state, status, print);
      telemetry.putOwnState({ activationLink: status.current.activationLink });
    },
    readTelemetry: telemetry.read,
    collectDiagnostics,
    onGoAway: (goodbye) => {
      graceMs = goodbye.graceMs;
    },
  });
  const stop = () => link.close('shutdown');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const reason = await link.closed;
  signal.removeEventListener('abort', stop);
  return { reason, livedMs: performance.now() - start, graceMs };
}
