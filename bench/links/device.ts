import { once } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError, serveDeviceLink, TelemetryEncoder } from '@pult/link';
import { testCertificate } from '@pult/testkit/certificates';
import { getAskedDelay, getNextAttempt, getRetryDelay } from '../../apps/agent/src/link/back-off.ts';
import { connectLink } from '../../apps/agent/src/link/connect-link.ts';
import { getRefusal } from '../../apps/agent/src/link/explain-failure.ts';
import { createBenchIdentity, describeBenchDevice } from './device-keys.ts';

/** What all devices of a process have met so far. */
export interface DeviceCounts {
  linked: number;
  /** Times the server asked to come later. */
  refused: number;
  /** Times that something else went wrong, by what it was. */
  failed: Record<string, number>;
}

/** Counts a device that links, stays, and links again, for ever. `connect` resolves once it is linked, to what resolves when it is no more. */
export async function stayLinked(
  counts: DeviceCounts,
  connect: () => Promise<{ ended: Promise<unknown> }>,
): Promise<never> {
  for (;;) {
    try {
      const { ended } = await connect();
      counts.linked += 1;
      await ended;
      counts.linked -= 1;
    } catch (error) {
      countFailure(counts, error);
    }
    await wait(1000);
  }
}

function countFailure({ failed }: DeviceCounts, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  failed[message] = (failed[message] ?? 0) + 1;
}

const state = { path: '', read: () => undefined, write: () => {}, remove: () => {} };

/** Nothing is told, but the stream is there, as with every agent. */
async function* readNothing(_since: unknown, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield new TelemetryEncoder().encodeGreeting({ streamId: 'bench-stream', lost: 0 });
  if (!signal.aborted) await once(signal, 'abort');
}

/**
 * Links, stays, and links again, for ever: it connects, waits and comes back by the agent's own code, and has no services. It tells nothing.
 * `enter` holds it back at its first link, so that a fleet that is switched on for the bench is no storm.
 */
export async function runBenchDevice(
  number: number,
  { serverUrl, localAddress }: { serverUrl: string; localAddress: string },
  counts: DeviceCounts,
  enter: <T>(connect: () => Promise<T>) => Promise<T>,
): Promise<never> {
  const identity = { serverUrl, ...createBenchIdentity(number) };
  const { serialNumber } = identity;
  // One for each device, as an agent has it: Node warns of a signal with many listeners.
  const { signal } = new AbortController();
  // As an agent makes it, but from an address of its own.
  const connection = { localAddress, keepAlive: true, keepAliveMsecs: 30_000, maxSockets: 1 };
  const isSecure = serverUrl.startsWith('https:');
  const createAgent = () => (isSecure ? new HttpsAgent(connection) : new HttpAgent(connection));
  const options = {
    state,
    log: () => {},
    ca: isSecure ? testCertificate : undefined,
    createAgent,
    timeoutMs: 10_000,
    signal,
    session: 'new',
  };
  let attempt = 0;
  let connect = () => enter(() => connectLink(identity, options));
  for (;;) {
    const begun = performance.now();
    let delayMs: number | undefined;
    let livedMs = 0;
    try {
      let graceMs = 0;
      const { socket } = await connect();
      const link = serveDeviceLink(socket, {
        connectService: () => Promise.reject(new ServiceError('service_refused', 'no service here')),
        getInfo: () => describeBenchDevice(serialNumber),
        putState: () => {},
        readTelemetry: readNothing,
        onGoAway: (goodbye) => {
          graceMs = goodbye.graceMs;
        },
      });
      connect = () => connectLink(identity, options);
      counts.linked += 1;
      await link.closed;
      counts.linked -= 1;
      livedMs = performance.now() - begun;
      if (graceMs > 0) delayMs = Math.random() * graceMs;
    } catch (error) {
      const retryAfterMs = getRefusal(error)?.retryAfterMs;
      if (retryAfterMs === undefined) countFailure(counts, error);
      else {
        counts.refused += 1;
        delayMs = getAskedDelay(retryAfterMs, Math.random);
      }
    }
    delayMs ??= getRetryDelay(attempt, Math.random);
    attempt = getNextAttempt(attempt, livedMs);
    await wait(delayMs);
  }
}
