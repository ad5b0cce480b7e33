import { once } from 'node:events';
import { connect as connectTcp, createServer } from 'node:net';
import { connect } from 'node:tls';
import { makeDeviceCertificates, makeTempDir } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWirenBoardFixture, type WirenBoardFixture } from '../wiren-board.fixture.ts';

let fixture: WirenBoardFixture;
beforeAll(async () => {
  fixture = await createWirenBoardFixture();
});
afterAll(() => fixture.close());

describe('a Wiren Board controller', () => {
  it('a controller from the factory shows its activation link, is claimed, and is told its tunnel', async () => {
    const device = await fixture.createDevice('A25NDEMJ');
    const answer = await device.startUp();
    expect(answer.headers['x-poll-interval']).toBe('10');
    expect(device.activationLink).toMatch(/^https:\/\/localhost:\d+\/controllers\?token=/);
    await device.poll();
    expect(device.confirmed).toEqual([]);
    const claim = await fixture.claim(device.activationLink ?? '');
    expect(claim.body).toMatchObject({ serialNumber: 'A25NDEMJ', model: 'Wiren Board' });
    await device.poll();
    expect(device.confirmed).toEqual(['update_tunnel_config']);
    expect(device.tunnelConfig).toMatchObject({
      server_addr: 'tunnel.localhost',
      user: 'A25NDEMJ',
      login_fail_exit: 'false',
      tls_enable: 'true',
      tls_server_name: 'tunnel.localhost',
      tls_trusted_ca_file: '/etc/ssl/certs/ca-certificates.crt',
      plugin: 'http_proxy',
    });
    await device.poll();
    expect(device.confirmed).toHaveLength(1);
    expect((await device.startUp()).body).toEqual({ activated: true, activationLink: null });
  });

  it('a controller that was removed is told a new link, and after another claim another tunnel token', async () => {
    const device = await fixture.addDevice('REMOVED1');
    const [link, token] = [device.activationLink, device.tunnelConfig?.token];
    expect(link).toBe('unknown');
    expect((await fixture.remove('REMOVED1')).status).toBe(204);
    await device.poll();
    expect(device.confirmed).toEqual(['update_tunnel_config', 'update_activation_link']);
    expect((await fixture.claim(device.activationLink ?? '')).status).toBe(200);
    await device.poll();
    expect(device.tunnelConfig?.token).toHaveLength(43);
    expect(device.tunnelConfig?.token).not.toBe(token);
  });

  it('what a controller was to be told before its removal is dropped', async () => {
    const device = await fixture.createDevice('DROPPED1');
    await device.startUp();
    await fixture.claim(device.activationLink ?? '');
    const { body } = await device.call('GET', 'events/');
    await fixture.remove('DROPPED1');
    const { id } = body as { id: string };
    expect((await device.call('POST', `events/${id}/confirm/`)).status).toBe(204);
    await device.poll();
    expect(device.confirmed).toEqual(['update_activation_link']);
  });

  it('an event is told again until it is confirmed, and a confirmation may be repeated', async () => {
    const device = await fixture.createDevice('REPEATS1');
    await device.startUp();
    await fixture.claim(device.activationLink ?? '');
    const [first, second] = [await device.call('GET', 'events/'), await device.call('GET', 'events/')];
    expect(second.body).toEqual(first.body);
    const { id } = first.body as { id: unknown };
    expect(id).toEqual(expect.any(String));
    for (const _ of [1, 2]) expect((await device.call('POST', `events/${id}/confirm/`)).status).toBe(204);
    expect((await device.call('GET', 'events/')).status).toBe(204);
  });

  it('a configuration after which no tunnel comes is told again, ever less often', async () => {
    const device = await fixture.addDevice('TUNNELLESS');
    const tellsAfter = async (seconds: number) => {
      fixture.server.clock.advance(seconds * 1000);
      const before = device.confirmed.length;
      await device.poll();
      return device.confirmed.length > before;
    };
    expect(await tellsAfter(59)).toBe(false);
    expect(await tellsAfter(1)).toBe(true);
    expect(await tellsAfter(119)).toBe(false);
    expect(await tellsAfter(1)).toBe(true);
  });

  it('what an agent says of its controller is shown, also where it comes before anything else', async () => {
    const device = await fixture.createDevice('REPORTS1');
    const put = (body: object) => device.call('PUT', 'update_device_data/', { body: JSON.stringify(body) });
    expect((await put({ hardware_revision: '7.4.2' })).status).toBe(200);
    await device.startUp();
    await fixture.claim(device.activationLink ?? '');
    expect((await put({ agent_version: '1.6.12', frpc_version: 'unknown' })).status).toBe(200);
    const shown = await fixture.server.call('getController', {
      as: fixture.owner,
      params: { serialNumber: 'REPORTS1' },
    });
    expect(shown.body).toMatchObject({
      model: 'Wiren Board 7.4.2',
      agentVersion: '1.6.12',
      connectionKind: 'wiren-board',
    });
    expect((await device.call('PUT', 'update_device_data/', { body: 'x'.repeat(17_000) })).status).toBe(413);
  });

  it('a call that no agent makes is not found, and one with a word of trouble is taken', async () => {
    const device = await fixture.createDevice('CALLS1');
    expect((await device.call('GET', 'nothing/')).status).toBe(404);
    expect((await device.call('POST', 'agent-start-up/')).status).toBe(404);
    const log = JSON.stringify({ reason: 'crash', log: 'line' });
    expect((await device.call('POST', 'metrics-collector-log/', { body: log })).status).toBe(200);
    const status = JSON.stringify({ status: 'error' });
    expect((await device.call('PUT', 'diagnostic-status/', { body: status })).status).toBe(200);
  });

  it('a serial number in small letters is that in capitals', async () => {
    const device = await fixture.createDevice('small1');
    await device.startUp();
    const { body } = await fixture.claim(device.activationLink ?? '');
    expect(body).toMatchObject({ serialNumber: 'SMALL1' });
  });
});

describe('a certificate', () => {
  it('a client without a certificate, of another factory, or with another name is refused', async () => {
    const device = await fixture.createDevice('HONEST1');
    await using folder = await makeTempDir('another-factory');
    const foreign = await (await makeDeviceCertificates(folder.path)).issue('HONEST1');
    const named = await fixture.certificates.issue('NAMED1', '/CN=pult-A25NDEMJ');
    const twice = await fixture.certificates.issue('TWICE1', '/CN=wirenboard-AAAA/CN=wirenboard-BBBB');
    for (const certificate of [null, foreign, named, twice]) {
      expect((await device.call('GET', 'agent-start-up/', { certificate })).status).toBe(401);
    }
  });

  it('a certificate that another controller has signed is refused', async () => {
    const device = await fixture.createDevice('SIGNER1');
    const own = await fixture.certificates.issue('SIGNER1');
    const forged = { ...own, chain: own.leaf + own.leaf };
    expect((await device.call('GET', 'agent-start-up/', { certificate: forged })).status).toBe(401);
  });

  it('headers of a proxy that nobody has named prove nothing', async () => {
    const device = await fixture.createDevice('HEADER1');
    const { leaf } = await fixture.certificates.issue('HEADER1');
    const headers = { 'x-ssl-client-verify': 'SUCCESS', 'x-ssl-client-cert': encodeURIComponent(leaf) };
    const answer = await device.call('GET', 'agent-start-up/', { certificate: null, headers });
    expect(answer.status).toBe(401);
  });

  it('a request for the agent’s host on a connection for another one is misdirected, and the reverse', async () => {
    const device = await fixture.createDevice('MISDIR1');
    expect((await device.call('GET', 'agent-start-up/', { serverName: 'localhost' })).status).toBe(421);
    expect((await device.call('GET', 'agent-start-up/', { host: 'localhost' })).status).toBe(421);
  });
});

function openTls(servername: string) {
  return connect({ port: fixture.server.port, host: '127.0.0.1', servername, rejectUnauthorized: false });
}

describe('the one TLS port', () => {
  it('a browser is never asked for a certificate, an agent always is', async () => {
    for (const [name, isAsked] of [
      ['localhost', false],
      ['a1b2.http.localhost', false],
      ['agent.localhost', true],
    ] as const) {
      const socket = openTls(name);
      await once(socket, 'secureConnect');
      // What a server that asks for one sends the names of authorities with, or none: seen in TLS 1.2 and 1.3 alike.
      socket.write(`GET /api-agent/v1/events/ HTTP/1.1\r\nhost: ${name}\r\n\r\n`);
      const [answer] = await once(socket, 'data');
      expect(String(answer).startsWith('HTTP/1.1 401')).toBe(isAsked);
      socket.destroy();
    }
  });

  it('a session that was begun without a certificate does not go on at the agent’s host', async () => {
    const first = openTls('localhost');
    const [session] = (await once(first, 'session')) as [Buffer];
    first.destroy();
    const again = connect({
      port: fixture.server.port,
      host: '127.0.0.1',
      servername: 'agent.localhost',
      rejectUnauthorized: false,
      session,
    });
    await once(again, 'secureConnect');
    expect(again.isSessionReused()).toBe(false);
    again.destroy();
  });

  it('a first message that comes byte by byte is understood', async () => {
    // Between the two: what the client says first goes on in single bytes.
    const relay = createServer((client) => {
      const onward = connectTcp({ port: fixture.server.port, host: '127.0.0.1', noDelay: true });
      onward.pipe(client);
      client.once('data', (hello) => {
        for (const byte of hello) onward.write(Buffer.from([byte]));
        client.pipe(onward);
      });
      client.on('error', () => onward.destroy());
      onward.on('error', () => client.destroy());
    });
    relay.listen(0, '127.0.0.1');
    await once(relay, 'listening');
    const { port } = relay.address() as { port: number };
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: 'agent.localhost',
      rejectUnauthorized: false,
    });
    socket.write('GET /api-agent/v1/events/ HTTP/1.1\r\nhost: agent.localhost\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 401/);
    socket.destroy();
    relay.close();
  });

  it('a client that speaks no TLS, or ends before it does, harms nobody', async () => {
    for (const words of ['GET / HTTP/1.1\r\n\r\n', '\x16\x03\x01', '']) {
      const raw = connectTcp({ port: fixture.server.port, host: '127.0.0.1' });
      raw.on('error', () => {});
      raw.end(words, 'latin1');
      raw.resume();
      await once(raw, 'close');
    }
    const device = await fixture.createDevice('AFTER1');
    expect((await device.startUp()).status).toBe(200);
  });
});
