import { once } from 'node:events';
import { connect } from 'node:net';
import { sshStreamPath, tunnelKeyHeader } from '@pult/contract';
import { HttpClient, WebSocketMessages } from '@pult/testkit';
import { createTestDevice } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  createTunnelFixture,
  startRawUpstream,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from '../tunnels/tunnel.fixture.ts';
import type { CloseReason, DeviceConnection, EndpointStream } from './device-connection.ts';
import { EndpointError, isEndpointError } from './endpoint-error.ts';

/** A second kind of connection, in this process and with no more than it must have: bytes to two endpoints. */
function createFakeConnection(ports: Readonly<Record<string, number>>) {
  let end: (reason: CloseReason) => void = () => {};
  const closed = new Promise<CloseReason>((resolve) => {
    end = resolve;
  });
  const connection: DeviceConnection = {
    capabilities: new Set(),
    open(endpoint): EndpointStream {
      const port = ports[endpoint];
      const socket = connect({ host: '127.0.0.1', port: port ?? 9, allowHalfOpen: true });
      return port === undefined ? socket.destroy(new EndpointError('service_not_allowed', endpoint)) : socket;
    },
    drain: () => end('shutdown'),
    close: (reason) => end(reason),
    closed,
    bytesIn: 0,
    bytesOut: 0,
  };
  return connection;
}

let fixture: TunnelFixture;
let web: WebUpstream;
let ssh: Awaited<ReturnType<typeof startRawUpstream>>;
let connection: DeviceConnection;
const device = createTestDevice('FAKE-1');
const params = { serialNumber: device.serialNumber };

beforeAll(async () => {
  web = await startUpstream(({ url }, response) => response.end(`page ${url}`));
  ssh = await startRawUpstream((socket) => socket.pipe(socket));
  fixture = await createTunnelFixture();
  connection = createFakeConnection({ http: web.port, ssh: ssh.port });
  fixture.server.server.links.add(await fixture.claim(device), connection);
});
afterAll(async () => {
  await fixture.close();
  web.close();
  ssh.close();
});

async function getStatus(): Promise<unknown> {
  const { body } = await fixture.server.call('getController', { as: fixture.owner, params });
  return (body as { status: unknown }).status;
}

describe('a second kind of device connection', () => {
  it('makes its controller online', async () => {
    await expect.poll(getStatus).toBe('online');
  });

  it('carries the web interface', async () => {
    const { url } = await fixture.openTunnel(device, 'http');
    const answer = await new HttpClient().request(url, { followRedirects: true });
    expect([answer.status, await answer.text()]).toEqual([200, 'page /']);
  });

  it('carries SSH', async () => {
    const { key } = await fixture.openTunnel(device, 'ssh');
    const socket = new WebSocket(`ws://127.0.0.1:${fixture.server.port}${sshStreamPath}`, {
      headers: { authorization: `Bearer ${fixture.owner.access}`, [tunnelKeyHeader]: key },
    });
    const messages = new WebSocketMessages(socket);
    await once(socket, 'open');
    socket.send('SSH-2.0-test');
    expect(String((await messages.next()).data)).toBe('SSH-2.0-test');
    socket.close();
  });

  it('shows the refusal of an endpoint as the error of its stream', async () => {
    const stream = connection.open('port-1');
    const [error] = await once(stream, 'error');
    expect(isEndpointError(error) && error.code).toBe('service_not_allowed');
  });

  it('fails diagnostics that it does not have, and says why', async () => {
    const { server, owner } = fixture;
    await server.call('requestDiagnostic', { as: owner, params });
    const list = async () => (await server.call('listDiagnostics', { as: owner, params })).body;
    await expect.poll(list).toMatchObject([{ status: 'failed', reason: 'not_supported' }]);
  });

  it('makes its controller offline when it ends', async () => {
    connection.close('transport');
    await expect.poll(getStatus).toBe('offline');
  });
});
