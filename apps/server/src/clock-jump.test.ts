import { createTestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enableTotp } from './features/accounts/totp-user.fixture.ts';
import { createAlertsFixture } from './features/alerts/alerts.fixture.ts';
import {
  createTelemetryFixture,
  type TelemetryFixture,
  type TellingDevice,
  valueEntry,
} from './features/telemetry/telemetry.fixture.ts';

const day = 24 * 3600_000;

describe.each([
  ['forward', day],
  ['back', -day],
])('a clock that is set %s by a day', (_, jump) => {
  let fixture: TelemetryFixture;
  let device: TellingDevice;
  beforeAll(async () => {
    fixture = await createTelemetryFixture();
    device = await fixture.addDevice();
    device.tell(valueEntry(1, 'supply', 'before'));
    await fixture.waitForControl(device.serialNumber, 'supply');
    const { server, owner, organizationId } = fixture;
    await createAlertsFixture(server, owner, organizationId).rule();
    fixture.server.clock.advance(jump);
  });
  afterAll(() => fixture.server.close());

  it('ends no session of a browser', async () => {
    const { server, owner } = fixture;
    expect(await server.call('getCurrentUser', { headers: { cookie: owner.cookie } })).toMatchObject({
      status: 200,
    });
  });

  it('leaves its controllers online, and tells nobody that they were away', async () => {
    const { server, owner } = fixture;
    const { serialNumber } = device;
    for (const job of server.server.jobs) await job.run();
    const answer = await server.call('getController', { as: await again(), params: { serialNumber } });
    expect(answer).toMatchObject({ status: 200, body: { status: 'online' } });
    expect(await server.readMails()).toEqual([]);

    async function again() {
      const { email, password } = owner;
      const login = await server.call('login', { body: { username: email, password } });
      return { ...owner, access: (login.body as { access: string }).access };
    }
  });

  it('lets devices come back, and takes what they tell', async () => {
    device.tell(valueEntry(2, 'supply', 'after'));
    const { owner, server } = fixture;
    await device.link();
    await expect
      .poll(async () => {
        const headers = { cookie: owner.cookie };
        const params = { serialNumber: device.serialNumber };
        return JSON.stringify((await server.call('getLastMqttData', { headers, params })).body);
      })
      .toContain('after');
  });
});

describe('a clock that was a day ahead and is set right', () => {
  it('locks nobody out who typed wrong passwords meanwhile', async () => {
    await using server = await createTestServer();
    const { email, password } = await server.createUser();
    const logIn = (typed: string) => server.call('login', { body: { username: email, password: typed } });
    server.clock.advance(day);
    for (let count = 0; count < 5; count += 1) await logIn('wrong');
    expect((await logIn(password)).status).toBe(429);
    server.clock.advance(-day);
    expect((await logIn(password)).status).toBe(200);
    for (let count = 0; count < 5; count += 1) await logIn('wrong');
    expect((await logIn(password)).status).toBe(429);
  });

  it('takes codes of the second factor again, each once', async () => {
    await using server = await createTestServer();
    const user = await enableTotp(server, await server.createUser());
    const { email, password } = user;
    const logIn = (totpCode: string) =>
      server.call('login', { body: { username: email, password, totpCode } });
    server.clock.advance(day);
    expect((await logIn(user.code())).status).toBe(200);
    server.clock.advance(-day);
    expect((await logIn(user.code())).status).toBe(200);
    expect((await logIn(user.code())).status).toBe(401);
    expect((await logIn(user.code(-1))).status).toBe(401);
  });

  it('counts what may happen so many times in a while from now on', async () => {
    await using server = await createTestServer();
    const { email } = await server.createUser();
    const ask = () => server.call('requestPasswordReset', { body: { email } });
    const exhaust = async () => {
      for (let count = 0; count < 50; count += 1) if ((await ask()).status === 429) return true;
      return false;
    };
    server.clock.advance(day);
    expect(await exhaust()).toBe(true);
    server.clock.advance(-day);
    expect((await ask()).status).not.toBe(429);
    expect(await exhaust()).toBe(true);
  });
});
