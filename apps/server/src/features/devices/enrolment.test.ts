import { randomBytes } from 'node:crypto';
import { CHALLENGE_PATH, createDeviceKey, ENROLL_PATH, ENROLLMENT_KEY_HEADER } from '@pult/link';
import {
  createTestController,
  createTestDevice,
  createTestServer,
  type EnrolOverrides,
  enrolTestDevice,
  requestNonce,
  type TestServer,
  tokenOf,
} from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
// All tests come from one address, whose requests are counted.
beforeEach(() => server.clock.advance(3600_000));

const json = { 'content-type': 'application/json' };
const invalidSignature = { status: 401, body: { code: 'device_signature_invalid' } };
const invalidRequest = { status: 400, body: { code: 'invalid_request' } };

function post(path: string, payload: string, headers: Record<string, string> = json, on = server) {
  return on.request('POST', path, { payload, headers });
}

function enrolments(serialNumber: string) {
  return server.db.selectFrom('enrolments').selectAll().where('serial_number', '=', serialNumber).execute();
}

describe('enrolment', () => {
  it('remembers a device by its serial number and key, and shows how to claim it', async () => {
    const device = createTestDevice('ENROL-1');
    const answer = await enrolTestDevice(server, device);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        activated: false,
        activationLink: expect.stringMatching(/^http:\/\/localhost:8080\/controllers\?token=[A-Z2-7-]{27}$/),
      },
    });
    expect(await enrolments('ENROL-1')).toMatchObject([
      {
        public_key: device.publicKey,
        model: 'Test board',
        firmware_version: '1.0.0',
        agent_version: '0.0.0',
      },
    ]);
  });

  it('again changes nothing but when the device was seen', async () => {
    const device = createTestDevice('ENROL-2');
    const first = await enrolTestDevice(server, device);
    const [before] = await enrolments('ENROL-2');
    server.clock.advance(60_000);
    const second = await enrolTestDevice(server, device);
    expect(tokenOf(second)).toBe(tokenOf(first));
    expect(await enrolments('ENROL-2')).toEqual([{ ...before, last_seen_at: server.clock.now() }]);
  });

  it('enrolment at once by the same device makes one entry', async () => {
    const device = createTestDevice('ENROL-3');
    const answers = await Promise.all(Array.from({ length: 10 }, () => enrolTestDevice(server, device)));
    expect(new Set(answers.map(tokenOf)).size).toBe(1);
    expect(await enrolments('ENROL-3')).toHaveLength(1);
  });

  it('enrolment of a taken serial number is kept aside and blocks nobody', async () => {
    const [genuine, impostor] = [createTestDevice('ENROL-4'), createTestDevice('ENROL-4')];
    const tokens = [await enrolTestDevice(server, impostor), await enrolTestDevice(server, genuine)].map(
      tokenOf,
    );
    expect(new Set(tokens).size).toBe(2);
    expect(await enrolments('ENROL-4')).toHaveLength(2);
  });
});

describe('a device’s proof is refused', () => {
  it('a device’s proof is refused with a nonce that was used', async () => {
    const device = createTestDevice('PROOF-1');
    const nonce = await requestNonce(server, 'PROOF-1');
    expect((await enrolTestDevice(server, device, { nonce })).status).toBe(200);
    expect(await enrolTestDevice(server, device, { nonce })).toMatchObject(invalidSignature);
    const [first, second] = [createTestDevice('PROOF-1'), createTestDevice('PROOF-1')];
    const shared = await requestNonce(server, 'PROOF-1');
    const answers = await Promise.all(
      [first, second].map((each) => enrolTestDevice(server, each, { nonce: shared })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('a device’s proof is refused with a nonce that expired', async () => {
    const nonce = await requestNonce(server, 'PROOF-2');
    server.clock.advance(60_000);
    expect(await enrolTestDevice(server, createTestDevice('PROOF-2'), { nonce })).toMatchObject(
      invalidSignature,
    );
  });

  it.each<
    [string, (device: ReturnType<typeof createTestDevice>) => EnrolOverrides | Promise<EnrolOverrides>]
  >([
    ['with a nonce of another serial number', async () => ({ nonce: await requestNonce(server, 'OTHER') })],
    ['with a nonce of its own making', () => ({ nonce: randomBytes(34).toString('base64url') })],
    ['signed with another key', () => ({ signWith: createDeviceKey() })],
    [
      'over another body',
      (device) => ({
        payload: JSON.stringify({
          serialNumber: device.serialNumber,
          publicKey: device.publicKey.toString('base64url'),
          model: 'Another board',
          firmwareVersion: '1.0.0',
          agentVersion: '0.0.0',
        }),
      }),
    ],
    ['without its header', () => ({ headers: { authorization: '' } })],
    ['in another scheme', () => ({ headers: { authorization: 'Bearer x' } })],
    ['that is malformed', () => ({ headers: { authorization: 'Pult A.B.C' } })],
    ['for an address it does not name', () => ({ headers: { 'pult-server-url': 'http://other' } })],
  ])('%s', async (_, overrides) => {
    const device = createTestDevice('PROOF-3');
    expect(await enrolTestDevice(server, device, await overrides(device))).toMatchObject(invalidSignature);
    expect(await enrolments('PROOF-3')).toEqual([]);
  });

  it('a device’s proof is refused for another serial number than the body’s', async () => {
    const [device, other] = [createTestDevice('PROOF-4'), createTestDevice('PROOF-5')];
    const answer = await enrolTestDevice(
      server,
      { ...device, serialNumber: 'PROOF-4' },
      {
        nonce: await requestNonce(server, other.serialNumber),
      },
    );
    expect(answer).toMatchObject(invalidSignature);
  });

  it('a device’s proof is refused when it was made for another server, and both addresses are named', async () => {
    const answer = await enrolTestDevice(server, createTestDevice('PROOF-6'), {
      audience: 'http://10.0.0.7:8080',
    });
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'link_url_mismatch',
        presentedUrl: 'http://10.0.0.7:8080',
        expectedUrls: ['http://localhost:8080'],
        detail: expect.stringMatching(/http:\/\/10\.0\.0\.7:8080.*http:\/\/localhost:8080/),
      },
    });
    const stranger = await enrolTestDevice(server, createTestDevice('PROOF-6'), {
      audience: 'http://10.0.0.7:8080',
      signWith: createDeviceKey(),
    });
    expect(JSON.stringify(stranger.body)).not.toContain('localhost');
  });

  it('a device’s proof is refused without using up the nonce, so that a forger cannot spoil it', async () => {
    const device = createTestDevice('PROOF-7');
    const nonce = await requestNonce(server, 'PROOF-7');
    expect(await enrolTestDevice(server, device, { nonce, signWith: createDeviceKey() })).toMatchObject(
      invalidSignature,
    );
    expect((await enrolTestDevice(server, device, { nonce })).status).toBe(200);
  });
});

describe('what a device sends', () => {
  const badSerials = [
    'a1',
    '',
    'A.B',
    'A_B',
    'A--B',
    '-A',
    'A-',
    'A B',
    'A\n',
    'A\u0000',
    'Ж',
    'A'.repeat(37),
    'A'.repeat(4000),
  ];

  it.each(badSerials)('what a device sends may not have the serial number %j', async (serialNumber) => {
    expect(await post(CHALLENGE_PATH, JSON.stringify({ serialNumber }))).toMatchObject(invalidRequest);
    const device = createTestDevice('GOOD');
    const nonce = await requestNonce(server, 'GOOD');
    const body = { serialNumber, publicKey: device.publicKey.toString('base64url') };
    const answer = await enrolTestDevice(server, device, { nonce, payload: JSON.stringify(body) });
    expect(answer).toMatchObject(invalidRequest);
  });

  it('what a device sends has the longest and the shortest serial number there may be', async () => {
    for (const serialNumber of ['A', '0', `A${'-B'.repeat(17)}C`]) {
      expect(await post(CHALLENGE_PATH, JSON.stringify({ serialNumber }))).toMatchObject({
        status: 200,
        body: { nonce: expect.stringMatching(/^[\w-]{46}$/) },
      });
    }
  });

  it.each([
    '',
    'x',
    '{',
    'null',
    '[]',
    '"A1"',
    '5',
    '{}',
    '{"serialNumber":5}',
    '{"serialNumber":["A1"]}',
    '{"serialNumber":"A1","extra":1}',
    '{"serialNumber":"A1","__proto__":{}}',
    '{"serialNumber":"\ud800"}',
    '['.repeat(2000),
  ])('what a device sends is refused as a challenge and as an enrolment: %j', async (payload) => {
    for (const path of [CHALLENGE_PATH, ENROLL_PATH]) {
      expect([path, await post(path, payload)]).toMatchObject([path, invalidRequest]);
    }
  });

  it('what a device sends may have nothing hidden or endless in its other fields', async () => {
    const device = createTestDevice('FIELDS');
    const good = {
      serialNumber: 'FIELDS',
      publicKey: device.publicKey.toString('base64url'),
      model: 'M',
      firmwareVersion: '1',
      agentVersion: '1',
    };
    for (const change of [
      { model: 'a\u0000' },
      { model: '\u001b[2J' },
      { model: 'x'.repeat(129) },
      { model: 5 },
      { firmwareVersion: 'x'.repeat(65) },
      { agentVersion: null },
      { publicKey: 'x' },
      { publicKey: `${good.publicKey}=` },
      { publicKey: good.publicKey.slice(0, 42) },
      { extra: 1 },
    ]) {
      const payload = JSON.stringify({ ...good, ...change });
      expect([change, await enrolTestDevice(server, device, { payload })]).toMatchObject([
        change,
        invalidRequest,
      ]);
    }
    const html = { ...good, model: '<script>alert(1)</script>' };
    expect(await enrolTestDevice(server, device, { payload: JSON.stringify(html) })).toMatchObject(
      invalidSignature,
    );
  });

  it('what a device sends is refused when it is too large or no JSON, as what it is', async () => {
    for (const path of [CHALLENGE_PATH, ENROLL_PATH]) {
      expect(await post(path, `"${'x'.repeat(4096)}"`)).toMatchObject({
        status: 413,
        body: { code: 'payload_too_large' },
      });
      for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'nonsense']) {
        expect(await post(path, '{"serialNumber":"A1"}', { 'content-type': type })).toMatchObject({
          status: 415,
          body: { code: 'unsupported_media_type' },
        });
      }
    }
  });

  it('what a device sends is answered as JSON that nobody stores', async () => {
    const good = await post(CHALLENGE_PATH, '{"serialNumber":"A1"}');
    const bad = await post(CHALLENGE_PATH, '{}');
    for (const { headers } of [good, bad]) {
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
    }
  });
});

describe('the enrolment key', () => {
  it('the enrolment key is asked for where one is set', async () => {
    const key = 'correct-enrolment-key-1';
    await using locked = await createTestServer({ environment: { ENROLLMENT_KEY: key } });
    const device = createTestDevice('LOCKED');
    const refused = { status: 401, body: { code: 'enrolment_key_invalid' } };
    expect(await enrolTestDevice(locked, device)).toMatchObject(refused);
    for (const wrong of ['', 'wrong', `${key}x`, key.slice(0, -1), key.toUpperCase()]) {
      const headers = { [ENROLLMENT_KEY_HEADER]: wrong };
      expect(await enrolTestDevice(locked, device, { headers })).toMatchObject(refused);
    }
    const right = await enrolTestDevice(locked, device, { headers: { [ENROLLMENT_KEY_HEADER]: key } });
    expect(right.status).toBe(200);
  });
});

describe('the number of enrolments', () => {
  it('the number of enrolments from one address: 200 devices get in at once, a flood does not, and it passes', async () => {
    await using flooded = await createTestServer();
    const enrolMany = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          enrolTestDevice(flooded, createTestDevice(`F-${randomBytes(8).toString('hex').toUpperCase()}`)),
        ),
      );
    expect((await enrolMany(200)).every(({ status }) => status === 200)).toBe(true);
    const flood = await enrolMany(200);
    expect(flood.filter(({ status }) => status === 200)).toHaveLength(100);
    const refused = flood.find(({ status }) => status !== 200);
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      body: { code: 'too_many_attempts' },
    });
    flooded.clock.advance(10_000);
    expect((await enrolMany(12)).filter(({ status }) => status === 200)).toHaveLength(10);
  });

  it('the number of enrolments is that of a network of IPv6, of which one machine has all addresses', async () => {
    await using flooded = await createTestServer();
    const enrolFrom = (remoteAddress: string) =>
      flooded.request('POST', ENROLL_PATH, {
        headers: { 'content-type': 'application/json' },
        payload: '{}',
        remoteAddress,
      });
    for (let count = 0; count < 300; count += 1) await enrolFrom(`2001:db8::${count.toString(16)}`);
    expect((await enrolFrom('2001:db8::ffff')).status).toBe(429);
    expect((await enrolFrom('2001:db8:0:1::1')).status).toBe(400);
  });

  it('the number of enrolments is capped, for new devices only', async () => {
    await using full = await createTestServer();
    const known = createTestDevice('KNOWN');
    await enrolTestDevice(full, known);
    const organizationId = await full.createOrganization(await full.createUser());
    await createTestController(full, { organizationId });
    await sql`insert into enrolments
      (id, handle, serial_number, public_key, model, firmware_version, agent_version, created_at, last_seen_at,
        linked_at)
      select gen_random_uuid(), substring(int8send(n), 4), 'FULL-' || n, int8send(n), '', '', '', now(), now(), now()
      from generate_series(1, 99998) as n`.execute(full.db);
    expect((await enrolTestDevice(full, createTestDevice('LAST'))).status).toBe(200);
    await sql`update enrolments set linked_at = now() where linked_at is null`.execute(full.db);
    expect(await enrolTestDevice(full, createTestDevice('TOO-MANY'))).toMatchObject({
      status: 503,
      body: { code: 'enrolments_limit_reached' },
    });
    expect((await enrolTestDevice(full, known)).status).toBe(200);
  });

  it('shrinks by those unseen for 30 days that nobody claimed', async () => {
    const owner = await server.createUser();
    const organizationId = await server.createOrganization(owner);
    const claimed = await createTestController(server, { organizationId });
    await enrolTestDevice(server, createTestDevice('FORGOTTEN'));
    server.clock.advance(1000);
    await enrolTestDevice(server, createTestDevice('REMEMBERED'));
    server.clock.advance(30 * 24 * 3600_000 - 500);
    await server.server.jobs.find((job) => job.name === 'delete-forgotten-enrolments')?.run();
    expect(await enrolments('FORGOTTEN')).toHaveLength(0);
    expect(await enrolments('REMEMBERED')).toHaveLength(1);
    expect(await enrolments(claimed.serialNumber)).toHaveLength(1);
  });
});
