import type { Readable } from 'node:stream';
import type { HttpClient } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from './tunnel.fixture.ts';

const megabyte = 2 ** 20;
const piece = Buffer.alloc(64 * 1024);
/**
 * Each holds the first window of a stream and what its own buffer takes, 32 kB at least, once the kernel has taken its part of
 * it (`kernelBuffers`), which is most of the work here: few, and a limit that few reach.
 */
const unreadCount = 6;
const perUser = 96 * 1024;

let fixture: TunnelFixture;
let upstream: WebUpstream;
let device: ClaimedDevice;
let browser: HttpClient;

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    response.on('error', () => {});
    if (request.url === '/paced') {
      // So little at a time that a reader who is held up on a busy machine has not much unread.
      const timer = setInterval(() => response.write(piece.subarray(0, 2_048)), 10);
      response.on('close', () => clearInterval(timer));
      return;
    }
    const send = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', send);
    send();
  });
  const sockets = new WebSocketServer({ noServer: true });
  upstream.server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => {});
    sockets.handleUpgrade(incoming, socket, head, (webSocket) => {
      webSocket.on('error', () => {});
      const send = () => {
        if (webSocket.readyState === webSocket.OPEN) webSocket.send(piece, send);
      };
      send();
    });
  });
  fixture = await createTunnelFixture({
    // Each is answered while those before it are sent all they take.
    timing: { tunnelAnswerMs: 60_000 },
    unreadLimits: {
      perUser,
      perController: 64 * megabyte,
      perOrganization: 64 * megabyte,
      inAll: 64 * megabyte,
    },
  });
  device = await fixture.addDevice('UNREAD-1', { endpoints: { http: upstream.port } });
  browser = await fixture.openBrowser(device);
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});

const isOpen = ({ destroyed }: { destroyed: boolean }) => !destroyed;

describe('what people do not read', () => {
  it('what people do not read is cut where it is more than their share, and nothing of who reads', async () => {
    const reader = await fixture.openBrowser(device, await fixture.addUser('member'));
    const { body: read } = await reader.request(`${device.origin}/paced`);
    let received = 0;
    read.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    read.on('error', () => {});
    const unread: Readable[] = [];
    for (let index = 0; index < unreadCount; index += 1) {
      const { body } = await browser.request(`${device.origin}/endless`);
      body.on('error', () => {});
      body.pause();
      unread.push(body);
    }
    const { liveTunnels } = fixture.server.server;
    await expect.poll(() => liveTunnels.size).toBeLessThan(unreadCount);
    expect(isOpen(read)).toBe(true);
    const before = received;
    await expect.poll(() => received).toBeGreaterThan(before + 20_000);
    for (const each of [...unread, read]) each.destroy();
    await expect.poll(() => liveTunnels.size).toBe(0);
  });

  it('what people do not read of WebSockets is cut as well', async () => {
    const address = `${device.origin.replace('http:', 'ws:')}/endless`;
    const open = async () => {
      const webSocket = await browser.openWebSocket(address, { headers: { origin: device.origin } });
      webSocket.on('error', () => {});
      webSocket.pause();
      return webSocket;
    };
    const opened = await Promise.all(Array.from({ length: unreadCount }, open));
    const { liveTunnels } = fixture.server.server;
    await expect.poll(() => liveTunnels.size).toBeLessThan(unreadCount);
    for (const webSocket of opened) webSocket.terminate();
    await expect.poll(() => liveTunnels.size).toBe(0);
  });
});
