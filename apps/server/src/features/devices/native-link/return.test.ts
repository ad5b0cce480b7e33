import { once } from 'node:events';
import { connect } from 'node:net';
import {
  createDeviceKey,
  ENROLMENT_HEADER,
  formatAuthorization,
  KEY_ID_HEADER,
  LINK_PATH,
  RETURN_TOKEN_HEADER,
  SERVER_URL_HEADER,
  signEnrolment,
  signLink,
} from '@pult/link';
import {
  createTestDevice,
  type DialOverrides,
  dialAsDevice,
  requestNonce,
  type TestDevice,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEnrolmentsRepository } from '../enrolments.repository.ts';
import { createLinkFixture, type LinkFixture, readRefusal } from './link.fixture.ts';

let fixture: LinkFixture;
beforeAll(async () => {
  fixture = await createLinkFixture();
});
afterAll(() => fixture.server.close());
// All tests come from one address, whose enrolments are counted.
beforeEach(() => fixture.server.clock.advance(3600_000));

const invalid = { status: 401, code: 'device_signature_invalid', nonce: expect.any(String) };

/** Links once and gives the token for the next time. */
async function enter(device: TestDevice, overrides: DialOverrides = {}): Promise<string> {
  let token: unknown;
  const socket = await dialAsDevice(fixture.server, device, {
    ...overrides,
    onAnswer: (headers) => {
      token = headers[RETURN_TOKEN_HEADER];
    },
  });
  socket.destroy();
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  return String(token);
}

const refusalOf = (device: TestDevice, nonce: string) =>
  readRefusal(dialAsDevice(fixture.server, device, { nonce }));

function readRow(serialNumber: string) {
  return fixture.server.db
    .selectFrom('enrolments')
    .selectAll()
    .where('serial_number', '=', serialNumber)
    .executeTakeFirstOrThrow();
}

describe('a return token', () => {
  it.each(['upgrade', 'websocket'] as const)(
    'a return token lets its device in once, by %s',
    async (transport) => {
      const { device } = await fixture.enrol(`RETURN-1-${transport.toUpperCase()}`);
      const first = await enter(device, { transport });
      const second = await enter(device, { nonce: first, transport });
      expect(second).not.toBe(first);
      const refused = await refusalOf(device, first);
      expect(refused).toMatchObject(invalid);
      // The refusal has brought the challenge along, and a token is good after others were refused.
      const third = await enter(device, { nonce: second, transport });
      await enter(device, { nonce: refused.nonce ?? '', transport });
      expect(await refusalOf(device, third)).toMatchObject(invalid);
    },
  );

  it('a return token is stored as a hash, and ends with the generation of its link', async () => {
    const { device } = await fixture.enrol('RETURN-2');
    const stolen = await enter(device);
    const row = await readRow('RETURN-2');
    expect(row.link_generation).toBe(1);
    expect(row.return_token_hash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(stolen);
    await enter(device);
    expect((await readRow('RETURN-2')).link_generation).toBe(2);
    expect(await refusalOf(device, stolen)).toMatchObject(invalid);
    expect((await readRow('RETURN-2')).link_generation).toBe(2);
  });

  it('a return token that many connections show lets exactly one of them in', async () => {
    const { device } = await fixture.enrol('RETURN-3');
    let token = await enter(device);
    for (let round = 0; round < 5; round += 1) {
      const nonce = token;
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => enter(device, { nonce })));
      const won = results.filter((result) => result.status === 'fulfilled');
      expect(won).toHaveLength(1);
      token = won[0]?.value ?? '';
    }
    expect((await readRow('RETURN-3')).link_generation).toBe(6);
  });

  it('a return token that many servers of one database are shown lets its device in at one', async () => {
    const { device } = await fixture.enrol('RETURN-4');
    await enter(device);
    const { id } = await readRow('RETURN-4');
    const repository = createEnrolmentsRepository(fixture.server.db);
    const letIn = (name: string, generation: number | undefined) =>
      repository.raiseGenerations([{ id, generation, tokenHash: Buffer.alloc(32, name) }]);
    const results = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => letIn(name, 1)));
    expect(results.flat().filter(Boolean)).toHaveLength(1);
    const winner = 'abcdef'[results.findIndex(([isIn]) => isIn)] ?? '';
    expect((await readRow('RETURN-4')).return_token_hash).toEqual(Buffer.alloc(32, winner));
    // After a challenge each gets in, and the last one's token is the one that counts.
    const last = await Promise.all(['x', 'y'].map((name) => letIn(name, undefined)));
    expect(last.flat().sort()).toEqual([3, 4]);
    expect((await readRow('RETURN-4')).link_generation).toBe(4);
  });

  it('a return token of another device, another key, another server or of nobody lets nobody in', async () => {
    const { device } = await fixture.enrol('RETURN-5');
    const { device: other } = await fixture.enrol('RETURN-6');
    const [token, foreign] = [await enter(device), await enter(other)];
    expect(await refusalOf(device, foreign)).toMatchObject(invalid);
    expect(await refusalOf({ ...device, privateKey: createDeviceKey() }, token)).toMatchObject(invalid);
    expect(await refusalOf(createTestDevice('RETURN-5'), token)).toMatchObject({
      status: 401,
      code: 'device_unknown',
    });
    const elsewhere = { nonce: token, audience: 'https://old.example.com' };
    expect(await readRefusal(dialAsDevice(fixture.server, device, elsewhere))).toMatchObject({
      status: 409,
      code: 'link_url_mismatch',
    });
    const made = Buffer.alloc(32, 1).toString('base64url');
    const bent = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const nonce of [made, bent, token.slice(1), `${token}A`, 'A'.repeat(128)])
      expect([nonce, await refusalOf(device, nonce)]).toMatchObject([nonce, { ...invalid }]);
    // None of it has used it up.
    await enter(other, { nonce: foreign });
    await enter(device, { nonce: token });
  });

  it('a return token of a thousand characters is refused as one of none', async () => {
    const { device } = await fixture.enrol('RETURN-7');
    const { nonce, ...refused } = await refusalOf(device, 'A'.repeat(5_000));
    expect(refused).toMatchObject({ status: 401, code: 'device_signature_invalid' });
    expect(nonce).toBe(undefined);
  });

  it('a return token of a device that was forgotten is none', async () => {
    const { device } = await fixture.enrol('RETURN-8');
    const token = await enter(device);
    await fixture.server.db.deleteFrom('enrolments').where('serial_number', '=', 'RETURN-8').execute();
    expect(await refusalOf(device, token)).toMatchObject({ status: 401, code: 'device_unknown' });
  });
});

describe('a refused return', () => {
  /** Asks for a link by hand, and reads until the blank line or the end of the answer. */
  function ask(device: TestDevice, socket: ReturnType<typeof connect>, nonce: string): Promise<string> {
    const { serialNumber, privateKey, keyId } = device;
    const audience = fixture.server.publicUrl;
    const signature = signLink(privateKey, { audience, serialNumber, nonce });
    const head = [
      `GET ${LINK_PATH} HTTP/1.1`,
      'host: localhost',
      'connection: upgrade',
      'upgrade: pult-link/2',
      `authorization: ${formatAuthorization({ serialNumber, nonce, signature })}`,
      `${KEY_ID_HEADER}: ${keyId}`,
      `${SERVER_URL_HEADER}: ${audience}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    return once(socket, 'data').then(([chunk]) => String(chunk));
  }

  const nonceIn = (answer: string) => /"nonce":"([^"]+)"/.exec(answer)?.[1] ?? '';

  it('a refused return may try again over the same connection, once', async () => {
    const { device } = await fixture.enrol('REFUSED-1');
    const socket = connect(fixture.server.port, '127.0.0.1');
    const made = Buffer.alloc(32, 1).toString('base64url');
    const first = await ask(device, socket, made);
    expect(first).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: keep-alive/i);
    expect(await ask(device, socket, nonceIn(first))).toMatch(/^HTTP\/1\.1 101 /);
    socket.destroy();
    const insistent = connect(fixture.server.port, '127.0.0.1');
    await ask(device, insistent, made);
    const ended = once(insistent, 'close');
    expect(await ask(device, insistent, made)).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close/i);
    await ended;
  });
});

describe('a link request that enrols', () => {
  interface Bent {
    body?: Record<string, unknown>;
    header?: string;
    key?: TestDevice['privateKey'];
    nonce?: string;
  }

  /** Asks to be enrolled and linked by one request. */
  async function enrolByLink(device: TestDevice, { body, header, key, nonce }: Bent = {}) {
    const { server } = fixture;
    const { serialNumber, privateKey, publicKey } = device;
    const text = JSON.stringify({
      ...{ serialNumber, publicKey: publicKey.toString('base64url') },
      ...{ model: 'Test board', firmwareVersion: '1.0.0', agentVersion: '0.0.0', ...body },
    });
    const used = nonce ?? (await requestNonce(server, serialNumber));
    const audience = server.publicUrl;
    const signature = signEnrolment(key ?? privateKey, { audience, serialNumber, nonce: used, body: text });
    const authorization = formatAuthorization({ serialNumber, nonce: used, signature });
    return enter(device, {
      nonce: used,
      headers: { authorization, [ENROLMENT_HEADER]: header ?? Buffer.from(text).toString('base64url') },
    });
  }

  it('a link request that enrols makes the device known, lets it in, and brings it back', async () => {
    const device = createTestDevice('BOTH-1');
    const token = await enrolByLink(device);
    expect(await readRow('BOTH-1')).toMatchObject({ model: 'Test board', link_generation: 1 });
    await enter(device, { nonce: token });
    await enrolByLink(device, { body: { model: 'Newer board' } });
    expect(await readRow('BOTH-1')).toMatchObject({ model: 'Newer board', link_generation: 3 });
  });

  it.each<[string, number, (device: TestDevice) => Bent | Promise<Bent>]>([
    ['signed by another key', 401, () => ({ key: createDeviceKey() })],
    ['of another serial number', 401, () => ({ body: { serialNumber: 'BOTH-9' } })],
    ['with a token that is none', 401, () => ({ nonce: Buffer.alloc(32, 1).toString('base64url') })],
    [
      'with a nonce that was used',
      401,
      async (device) => {
        const nonce = await requestNonce(fixture.server, device.serialNumber);
        await enrolByLink(device, { nonce });
        return { nonce };
      },
    ],
    ['that is no JSON', 400, () => ({ header: 'nonsense' })],
    ['that says too much', 400, () => ({ body: { model: 'x'.repeat(129) } })],
  ])('a link request that enrols is refused %s', async (_how, status, bend) => {
    const device = createTestDevice('BOTH-2');
    expect(await readRefusal(enrolByLink(device, await bend(device)))).toMatchObject({ status });
  });

  it('link requests that enrol are as many an address as others', async () => {
    const device = createTestDevice('BOTH-3');
    const refusals = Array.from({ length: 310 }, () =>
      readRefusal(enrolByLink(device, { nonce: 'A'.repeat(46), header: 'nonsense' })),
    );
    const codes = (await Promise.all(refusals)).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['invalid_request', 'too_many_attempts']));
  });
});
