import type { Algorithms } from 'ssh2';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTerminalFixture, password, type TerminalFixture } from './terminal.fixture.ts';

let t: TerminalFixture;
beforeAll(async () => {
  t = await createTerminalFixture();
});
afterAll(() => t.close());
beforeEach(() => t.reset());

const cbc: Algorithms = { cipher: ['aes128-cbc', '3des-cbc'] };

it.each<[string, Algorithms, string[], string]>([
  [
    'group 14 with SHA-1',
    { kex: ['diffie-hellman-group14-sha1'] },
    ['diffie-hellman-group14-sha1'],
    'key exchange method found. Their offer: diffie-hellman-group14-sha1',
  ],
  [
    'group 1, CBC and MD5',
    { kex: ['diffie-hellman-group1-sha1'], ...cbc, hmac: ['hmac-md5'] },
    ['diffie-hellman-group1-sha1', 'aes128-cbc', 'hmac-md5'],
    'key exchange method found. Their offer: diffie-hellman-group1-sha1',
  ],
])(
  'a device that has %s alone opens once somebody has taken it, and then to all',
  async (_, algorithms, names, words) => {
    await t.replaceSsh({ algorithms });
    expect(await (await t.start()).next()).toMatchObject({
      type: 'failed',
      code: 'ssh_old_algorithms',
      reason: expect.stringContaining(`Unable to negotiate: no matching ${words}`),
      algorithms: names,
    });
    expect(t.ssh.attempts).toEqual([]);
    await t.open({ oldAlgorithms: names });
    await t.open();
    const { body } = await t.fixture.server.call('listAuditEvents', {
      as: t.fixture.owner,
      params: { organizationId: t.fixture.organization },
      query: { action: 'terminal.opened', subject: t.device.serialNumber },
    });
    expect(body).toMatchObject({
      results: [{ details: { username: 'root', algorithms: names.join(', ') } }],
    });
  },
);

it('old algorithms that were taken by nobody who got in, or others of them, are asked for again', async () => {
  await t.replaceSsh({ algorithms: cbc });
  const failure = {
    code: 'ssh_old_algorithms',
    reason: 'Unable to negotiate: no matching cipher found. Their offer: aes128-cbc,3des-cbc',
    algorithms: ['aes128-cbc'],
  };
  expect(await (await t.start({ oldAlgorithms: ['3des-cbc'] })).next()).toMatchObject(failure);
  const wrong = { credential: password('wrong'), oldAlgorithms: ['aes128-cbc'] };
  expect(await (await t.start(wrong)).next()).toMatchObject({ code: 'ssh_authentication_failed' });
  expect(await (await t.start()).next()).toMatchObject(failure);
});

it('old algorithms are forgotten with the host key of the device that had them', async () => {
  await t.replaceSsh({ algorithms: cbc });
  await t.open({ oldAlgorithms: ['aes128-cbc'] });
  const { server, owner } = t.fixture;
  const { serialNumber } = t.device;
  expect((await server.call('forgetHostKey', { as: owner, params: { serialNumber } })).status).toBe(204);
  expect(await (await t.start()).next()).toMatchObject({ code: 'ssh_old_algorithms' });
});

it('a device without any algorithm of ours says what it offers, as OpenSSH would', async () => {
  await t.replaceSsh({ algorithms: { cipher: ['aes128-gcm'] } });
  expect(await (await t.start()).next()).toMatchObject({
    type: 'failed',
    code: 'ssh_failed',
    reason: 'Unable to negotiate: no matching cipher found. Their offer: aes128-gcm',
  });
});
