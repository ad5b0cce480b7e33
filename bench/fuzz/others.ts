import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError, serveDeviceLink, TelemetryEncoder } from '@pult/link';
import {
  acceptFrame,
  dataFrame,
  FrameParser,
  formatHeader,
  frameTypes,
  readRequests,
} from '@pult/link/testing';
import { type ApiClient, HttpClient, listenOnLoopback } from '@pult/testkit';
import { createBenchIdentity, describeBenchDevice } from '../links/device-keys.ts';
import { link, type Target } from './connect.ts';

/** Asks once; rejects when no answer comes. */
export type Probe = () => Promise<unknown>;

const patienceMs = 5_000;
const idle = () => {};

const makeInfo = (device: number) => describeBenchDevice(createBenchIdentity(device).serialNumber);

/** An honest link: how long the server takes to answer its pings. */
export async function createPingProbe(target: Target, device: number): Promise<Probe> {
  const { socket } = await link(target, device, 'new');
  let number = 0;
  let onAnswer: () => void = idle;
  readRequests(socket, (streamId, line) => {
    if (line.includes('/v1/info'))
      socket.write(acceptFrame(streamId, JSON.stringify(makeInfo(device)), true));
    else if (line.includes('/v1/state')) socket.write(acceptFrame(streamId, '', true));
    else if (line.includes('/v1/telemetry')) {
      const greeting = new TelemetryEncoder().encodeGreeting({ streamId: 'bench-stream', lost: 0 });
      socket.write(Buffer.concat([acceptFrame(streamId), dataFrame(streamId, greeting)]));
    }
  });
  const parser = new FrameParser(
    {
      onData: idle,
      onPayload: idle,
      onGoodbye: idle,
      onPosition: idle,
      onCredit: idle,
      onAcknowledgement: idle,
      onResume: idle,
      onReset: idle,
      onTake: idle,
      onWantBulk: idle,
      onBroken: idle,
      onPing: (isAnswer, answered) => {
        if (isAnswer && answered === number) onAnswer();
      },
    },
    0,
    false,
  );
  socket.on('data', (bytes: Buffer) => parser.read(bytes));
  return async () => {
    number += 1;
    const answered = new Promise<void>((resolve) => {
      onAnswer = resolve;
    });
    socket.write(formatHeader(frameTypes.ping, 0, 0, number));
    const end = AbortSignal.timeout(patienceMs);
    await Promise.race([answered, once(end, 'abort')]);
    if (socket.destroyed) throw new Error('an honest link was cut');
    end.throwIfAborted();
  };
}

/** An honest device with a page: how long a request through a tunnel takes. */
export async function createTunnelProbe(target: Target, device: number, api: ApiClient): Promise<Probe> {
  const web = createServer((_request, response) => response.end('page'));
  const webPort = await listenOnLoopback(web);
  web.unref();
  const { socket } = await link(target, device, 'new');
  const { serialNumber } = createBenchIdentity(device);
  serveDeviceLink(socket, {
    connectService: async (name) => {
      if (name !== 'http') throw new ServiceError('service_refused');
      const upstream = connect(webPort, '127.0.0.1');
      await once(upstream, 'connect');
      return upstream;
    },
    getInfo: () => makeInfo(device),
    putState: idle,
  });
  await wait(500);
  const { tunnelRedirectUrl } = await api.call('openTunnel', { params: { serialNumber, protocol: 'http' } });
  const client = new HttpClient();
  await (await client.request(tunnelRedirectUrl, { followRedirects: true })).text();
  const url = `http://${serialNumber.toLowerCase()}.http.localhost:${new URL(target.serverUrl).port}/`;
  return async () => {
    const answer = await client.request(url, { signal: AbortSignal.timeout(patienceMs) });
    const text = await answer.text();
    if (text !== 'page') throw new Error(`a tunnel of an honest device answered ${answer.status} ${text}`);
  };
}

/** Milliseconds of each answer, and what went wrong. */
export interface Measured {
  times: number[];
  failures: string[];
}

/** Asks again and again until the signal fires. */
export async function measure(probe: Probe, signal: AbortSignal): Promise<Measured> {
  const times: number[] = [];
  const failures: string[] = [];
  while (!signal.aborted) {
    const begun = performance.now();
    await probe().catch((error: Error) => failures.push(error.message));
    times.push(performance.now() - begun);
    await wait(25);
  }
  return { times, failures };
}
