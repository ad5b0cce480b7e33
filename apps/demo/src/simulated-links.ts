import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CHALLENGE_PATH,
  type DeviceLink,
  dial,
  formatAuthorization,
  KEY_ID_HEADER,
  keyId,
  SERVER_URL_HEADER,
  ServiceError,
  serveDeviceLink,
  signLink,
} from '@pult/link';
import type { SimulatedController } from './fleet.ts';
import { tellMeasurements } from './measurements.ts';

export interface SimulatedLinks {
  /** Links the controller, and again whenever the link is lost, until it is told to leave. */
  switchOn(controller: SimulatedController): void;
  switchOff(controller: SimulatedController): void;
  isOn(controller: SimulatedController): boolean;
  countLinks(): number;
  stop(): Promise<void>;
}

/** Time for what is open on a link to end by itself, in milliseconds: one that leaves is no fault. */
const farewell = 100;

/** Links being opened at once: a thousand handshakes in one moment would keep the server from anything else. */
const lanes = 12;

/** Real links of controllers that are simulated: what the server knows of them it knows from their links. */
export function createSimulatedLinks(options: { serverUrl: string; webPort: number }): SimulatedLinks {
  const { serverUrl, webPort } = options;
  const wanted = new Map<SimulatedController, AbortController>();
  const links = new Map<SimulatedController, DeviceLink>();
  const waiting: (() => void)[] = [];
  let free = lanes;

  async function inLane<T>(work: () => Promise<T>): Promise<T> {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  }

  async function open(controller: SimulatedController, signal: AbortSignal): Promise<DeviceLink> {
    const { serialNumber, privateKey, publicKey } = controller;
    const answer = await fetch(serverUrl + CHALLENGE_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ serialNumber }),
      signal,
    });
    const { nonce } = (await answer.json()) as { nonce: string }; // by the device's protocol
    const signature = signLink(privateKey, { audience: serverUrl, serialNumber, nonce });
    const headers = {
      authorization: formatAuthorization({ serialNumber, nonce, signature }),
      [KEY_ID_HEADER]: keyId(publicKey),
      [SERVER_URL_HEADER]: serverUrl,
    };
    const socket = await dial(serverUrl, { transport: 'upgrade', headers, signal });
    return serveDeviceLink(socket, {
      async connectService(name) {
        if (name !== 'http')
          throw new ServiceError('service_refused', 'a simulated controller has only a web page');
        return connect({ port: webPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
      },
      getInfo: () => ({
        serialNumber,
        model: controller.model,
        firmwareVersion: controller.firmwareVersion,
        agentVersion: 'simulated',
        kernelVersion: 'simulated',
        addresses: [],
        uptimeSeconds: Math.round(process.uptime()),
      }),
      putState: () => {},
      readTelemetry: (since, ended) =>
        tellMeasurements(serialNumber, since, AbortSignal.any([ended, signal])),
    });
  }

  async function keepLinked(controller: SimulatedController, { signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      try {
        const link = await inLane(() => open(controller, signal));
        links.set(controller, link);
        if (signal.aborted) link.close();
        await link.closed;
      } catch {
        // The server is busy or gone: it is asked again below, until somebody says to leave.
      }
      links.delete(controller);
      await wait(2000 + 8000 * Math.random(), undefined, { signal }).catch(() => {});
    }
  }

  return {
    switchOn(controller) {
      if (wanted.has(controller)) return;
      const abort = new AbortController();
      wanted.set(controller, abort);
      void keepLinked(controller, abort);
    },
    switchOff(controller) {
      wanted.get(controller)?.abort();
      wanted.delete(controller);
      setTimeout(() => links.get(controller)?.close(), farewell);
    },
    isOn: (controller) => wanted.has(controller),
    countLinks: () => links.size,
    async stop() {
      for (const abort of wanted.values()) abort.abort();
      wanted.clear();
      await wait(farewell);
      const closing = [...links.values()];
      for (const link of closing) link.close();
      await Promise.all(closing.map((link) => link.closed));
    },
  };
}
