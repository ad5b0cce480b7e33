import { once } from 'node:events';
import { connect } from 'node:net';
import {
  createDeviceKey,
  formatAuthorization,
  KEY_ID_HEADER,
  LINK_PATH,
  SERVER_URL_HEADER,
  signLink,
} from '@pult/link';
import {
  createTestDevice,
  dialAsDevice,
  type ListeningServer,
  linkTestDevice,
  requestNonce,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLinkFixture, type LinkFixture, readRefusal } from './link.fixture.ts';

let fixture: LinkFixture;
let server: ListeningServer;

beforeAll(async () => {
  fixture = await createLinkFixture();
  ({ server } = fixture);
});
afterAll(() => server.close());

describe('a link', () => {
  it.each(['upgrade', 'websocket'] as const)(
    'a link is held for a device that proves its key, by %s',
    async (transport) => {
      const { device } = await fixture.enrol(`LINK-${transport.toUpperCase()}`);
      const { link, states } = await linkTestDevice(server, device, { transport });
      await expect
        .poll(() => states)
        .toEqual([
          {
            activated: false,
            activationLink: expect.stringContaining('/controllers?token='),
            metricsIntervalSeconds: 60,
            isSaving: false,
            updateKey: expect.stringMatching(/^[\w-]{43}$/),
          },
        ]);
      link.close();
    },
  );

  it('a link is refused with a forged signature', async () => {
    const { device } = await fixture.enrol('LINK-1');
    const forged = { ...device, privateKey: createDeviceKey() };
    expect(await readRefusal(dialAsDevice(server, forged))).toMatchObject({
      status: 401,
      code: 'device_signature_invalid',
    });
  });

  it('a link is refused for a key that never enrolled, and for another’s serial number', async () => {
    await fixture.enrol('LINK-2');
    const stranger = createTestDevice('LINK-2');
    expect(await readRefusal(dialAsDevice(server, stranger))).toMatchObject({
      status: 401,
      code: 'device_unknown',
    });
    const { device } = await fixture.enrol('LINK-3');
    const posing = { ...device, serialNumber: 'LINK-2' };
    expect(await readRefusal(dialAsDevice(server, posing))).toMatchObject({
      status: 401,
      code: 'device_unknown',
    });
  });

  it('a link is refused with a nonce used before, too old, made up, or of another serial number', async () => {
    const { device } = await fixture.enrol('LINK-4');
    const used = await requestNonce(server, 'LINK-4');
    const socket = await dialAsDevice(server, device, { nonce: used });
    socket.destroy();
    const foreign = await requestNonce(server, 'LINK-3');
    const old = await requestNonce(server, 'LINK-4');
    const invalid = { status: 401, code: 'device_signature_invalid' };
    expect(await readRefusal(dialAsDevice(server, device, { nonce: used }))).toMatchObject(invalid);
    expect(await readRefusal(dialAsDevice(server, device, { nonce: foreign }))).toMatchObject(invalid);
    expect(await readRefusal(dialAsDevice(server, device, { nonce: 'a'.repeat(40) }))).toMatchObject(invalid);
    server.clock.advance(60_000);
    expect(await readRefusal(dialAsDevice(server, device, { nonce: old }))).toMatchObject(invalid);
  });

  it('a link to a server known by another address is refused with both addresses', async () => {
    const { device } = await fixture.enrol('LINK-5');
    const audience = 'https://old.example.com';
    expect(await readRefusal(dialAsDevice(server, device, { audience }))).toMatchObject({
      status: 409,
      code: 'link_url_mismatch',
      presentedUrl: audience,
      expectedUrls: [server.publicUrl],
    });
  });

  it('a link is refused when its own address is not the signed one', async () => {
    const { device } = await fixture.enrol('LINK-6');
    const headers = { [SERVER_URL_HEADER]: 'https://other.example.com' };
    expect(await readRefusal(dialAsDevice(server, device, { headers }))).toMatchObject({
      status: 401,
      code: 'device_signature_invalid',
    });
  });

  it.each(['pult-link/1', 'PULT-LINK', 'tls'])(
    'a link by the protocol %s is refused with 400',
    async (protocol) => {
      const { device } = await fixture.enrol('LINK-7');
      const nonce = await requestNonce(server, 'LINK-7');
      const audience = server.publicUrl;
      const signature = signLink(device.privateKey, { audience, serialNumber: 'LINK-7', nonce });
      const answer = await sendUpgrade([
        `upgrade: ${protocol}`,
        `authorization: ${formatAuthorization({ serialNumber: 'LINK-7', nonce, signature })}`,
        `${KEY_ID_HEADER}: ${device.keyId}`,
        `${SERVER_URL_HEADER}: ${audience}`,
      ]);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"invalid_request"');
    },
  );

  it('a link without an upgrade is refused with an answer of HTTP', async () => {
    expect((await server.request('GET', LINK_PATH)).status).toBe(404);
  });

  it('a link is refused with no proof at all', async () => {
    expect(await sendUpgrade(['upgrade: pult-link/2'])).toMatch(/^HTTP\/1\.1 401 /);
    expect(await sendUpgrade(['upgrade: websocket'])).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('a newer link', () => {
  it('replaces the older at once, and the controller stays online', async () => {
    const { device, token } = await fixture.enrol('NEWER-1');
    await fixture.claim(token);
    const older = await linkTestDevice(server, device);
    await expect.poll(() => fixture.getController('NEWER-1')).toMatchObject({ status: 'online' });
    const since = ((await fixture.getController('NEWER-1')) as { statusSince: string }).statusSince;
    const changes: unknown[] = [];
    const stop = server.server.events.subscribe('organization', ({ event }) => changes.push(event));
    server.clock.advance(1_000);
    const newer = await linkTestDevice(server, device);
    expect(await older.link.closed).toBe('replaced');
    await expect.poll(() => newer.states.length).toBe(1);
    expect(await fixture.getController('NEWER-1')).toMatchObject({ status: 'online', statusSince: since });
    expect(changes).toEqual([]);
    stop();
    newer.link.close();
  });

  it('again and again is shown as a duplicate identity, until one is left for two minutes', async () => {
    const { device, token } = await fixture.enrol('CLONE-1');
    await fixture.claim(token);
    const reasons: string[] = [];
    const stop = server.server.events.subscribe('organization', ({ event }) => {
      if (event.type === 'controller.status' && event.serialNumber === 'CLONE-1')
        reasons.push(event.statusReason);
    });
    let last = await linkTestDevice(server, device);
    for (let index = 0; index < 4; index += 1) last = await linkTestDevice(server, device);
    await expect.poll(() => reasons.at(-1)).toBe('duplicate_identity');
    expect(await fixture.getController('CLONE-1')).toMatchObject({ status: 'online' });
    server.clock.advance(2 * 60_000);
    await expect.poll(() => reasons.at(-1)).toBe('link');
    expect(await fixture.getController('CLONE-1')).toMatchObject({ status: 'online' });
    last.link.close();
    stop();
  });
});

async function sendUpgrade(headers: string[]): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    [`GET ${LINK_PATH} HTTP/1.1`, 'host: localhost', 'connection: upgrade', ...headers, '', ''].join('\r\n'),
  );
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  await once(socket, 'close');
  return answer;
}
