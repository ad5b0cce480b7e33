import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { sshStreamPath, tunnelKeyHeader } from '@pult/contract';
import { ServiceError } from '@pult/link';
import { WebSocketMessages } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startRawUpstream,
  type TunnelFixture,
} from '../tunnel.fixture.ts';

let fixture: TunnelFixture;
let upstream: Awaited<ReturnType<typeof startRawUpstream>>;
let device: ClaimedDevice;
let serve: (socket: Socket) => void = (socket) => socket.pipe(socket);

beforeAll(async () => {
  upstream = await startRawUpstream((socket) => serve(socket));
  fixture = await createTunnelFixture();
  device = await fixture.addDevice('STREAM-1', { endpoints: { ssh: upstream.port } });
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});

async function connect(key: string | undefined, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.server.port}${sshStreamPath}`, {
    headers: {
      authorization: `Bearer ${fixture.owner.access}`,
      ...(key === undefined ? {} : { [tunnelKeyHeader]: key }),
      ...headers,
    },
  });
  const messages = new WebSocketMessages(socket);
  await once(socket, 'open');
  return { socket, messages };
}

const connectWithTicket = async () => connect((await fixture.openTunnel(device, 'ssh')).key);

describe('the SSH stream', () => {
  it('carries bytes both ways, those sent at once too', async () => {
    const { socket, messages } = await connectWithTicket();
    const sent = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index & 255));
    socket.send(sent);
    let received = Buffer.alloc(0);
    while (received.length < sent.length) received = Buffer.concat([received, (await messages.next()).data]);
    expect(received).toEqual(sent);
    socket.close();
    await expect.poll(() => device.linked.connections.size).toBe(0);
  });

  it('ends when the device ends, with all that the device has sent', async () => {
    serve = (socket) => socket.end('last words');
    const { messages } = await connectWithTicket();
    expect(String((await messages.next()).data)).toBe('last words');
    expect([1000, 1005]).toContain((await messages.closed).code);
    serve = (socket) => socket.pipe(socket);
  });

  it('takes a ticket once, of its own session, for ssh alone', async () => {
    const { key } = await fixture.openTunnel(device, 'ssh');
    await connect(key);
    const web = await fixture.openTunnel(device, 'http');
    const colleague = await fixture.addUser('member');
    const foreign = await fixture.openTunnel(device, 'ssh', colleague);
    for (const refused of [key, web.key, foreign.key, '', undefined]) {
      const { messages } = await connect(refused);
      expect(await messages.closed).toEqual({ code: 4000, reason: 'tunnel_ticket_invalid' });
    }
  });

  it('outlives a device whose refusal is longer than a close may say', async () => {
    const refusing = await fixture.addDevice('STREAM-2', {
      handlers: {
        connectService: () => Promise.reject(new ServiceError('service_refused', 'отказ '.repeat(33))),
      },
    });
    const { key } = await fixture.openTunnel(refusing, 'ssh');
    const { messages } = await connect(key);
    expect(await messages.closed).toEqual({ code: 4000, reason: 'service_refused' });
  });

  it('frees the device of a client that left while the device was being reached', async () => {
    let connectService = () => {};
    const connecting = new Promise<void>((resolve) => {
      connectService = resolve;
    });
    const closed = new Promise<void>((resolve) => {
      serve = (socket) => socket.on('close', () => resolve());
    });
    const slow = await fixture.addDevice('STREAM-3', {
      handlers: {
        async connectService() {
          connectService();
          await left;
          return connectTcp({ port: upstream.port, allowHalfOpen: true });
        },
      },
    });
    const { key } = await fixture.openTunnel(slow, 'ssh');
    const { socket, messages } = await connect(key);
    const left = messages.closed;
    await connecting;
    socket.terminate();
    await closed;
    serve = (peer) => peer.pipe(peer);
  });

  it('the SSH stream is cut with its device', async () => {
    const lost = await fixture.addDevice('STREAM-4', { endpoints: { ssh: upstream.port } });
    const { key } = await fixture.openTunnel(lost, 'ssh');
    const { socket, messages } = await connect(key);
    socket.send('hello');
    await messages.next();
    lost.linked.cut();
    expect((await messages.closed).code).not.toBe(1000);
  });
});
