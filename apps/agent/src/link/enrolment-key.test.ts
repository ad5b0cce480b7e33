import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { activationLink, createFakeCloud } from '../testing/fake-cloud.ts';
import { createTempDir } from '../testing/temp-dir.ts';
import { startTestAgent } from '../testing/test-agent.ts';
import { ENROLMENT_KEY_FILE, readKeyRefusal } from './enrolment-key.ts';
import { formatStatus, STATUS_FILE } from './status.ts';

const key = `pek_${'A'.repeat(32)}`;
const refusal = { code: 'enrolment_key_expired', detail: 'The enrolment key has expired.' };
const told = 'enrolment key: not used (The enrolment key has expired.)';

test('a key of an organization that does not count is told with the reason, and never itself', async () => {
  const stateDir = createTempDir();
  const cloud = await createFakeCloud({ keyRefusal: refusal, handsOutTokens: true });
  const agent = startTestAgent({ serverUrl: cloud.url, stateDir, config: { enrollmentKey: key } });
  await (await cloud.nextLink()).getInfo();
  await expect
    .poll(() => agent.lines)
    .toEqual(['link: connected', told, `activation link: ${activationLink}`]);
  const status: unknown = JSON.parse(readFileSync(join(stateDir, STATUS_FILE), 'utf8'));
  expect(formatStatus(status)?.slice(-2)).toEqual([told, `activation link: ${activationLink}`]);
  expect(JSON.stringify([status, agent.lines])).not.toContain(key);
});

test('the reason is no longer shown once somebody has claimed the machine', async () => {
  const stateDir = createTempDir();
  const cloud = await createFakeCloud({ keyRefusal: refusal });
  startTestAgent({ serverUrl: cloud.url, stateDir, config: { enrollmentKey: key } });
  const link = await cloud.nextLink();
  await link.putState({ activated: true, activationLink: null, metricsIntervalSeconds: 60 });
  const status: unknown = JSON.parse(readFileSync(join(stateDir, STATUS_FILE), 'utf8'));
  expect(formatStatus(status)?.slice(4)).toEqual(['activated: yes']);
});

test('a key that was refused is shown again at the next start, one that was taken is not', async () => {
  const stateDir = createTempDir();
  const startAt = async (options: { keyRefusal?: typeof refusal }, enrollmentKey: string | undefined) => {
    const cloud = await createFakeCloud({ ...options, handsOutTokens: true, host: 'localhost' });
    return {
      cloud,
      async start() {
        const agent = startTestAgent({ serverUrl: cloud.url, stateDir, config: { enrollmentKey } });
        await (await cloud.nextLink()).getInfo();
        await agent.stop();
      },
    };
  };
  const refusing = await startAt({ keyRefusal: refusal }, key);
  await refusing.start();
  await refusing.start();
  expect(refusing.cloud.keys).toEqual([key, key]);
  const taking = await startAt({}, key);
  await taking.start();
  await taking.start();
  expect(taking.cloud.keys).toEqual([key]);
  expect(readFileSync(join(stateDir, ENROLMENT_KEY_FILE), 'utf8')).not.toContain(key);
});

test('a machine that is enrolled shows a key that it is given later', async () => {
  const stateDir = createTempDir();
  const cloud = await createFakeCloud({ handsOutTokens: true });
  for (const enrollmentKey of [undefined, 'the key of the server', key]) {
    const agent = startTestAgent({ serverUrl: cloud.url, stateDir, config: { enrollmentKey } });
    await (await cloud.nextLink()).getInfo();
    await agent.stop();
  }
  expect(cloud.keys).toEqual([undefined, key]);
});

test('a reason in words that are not understood is a reason all the same', () => {
  for (const encoded of ['', '!', Buffer.from('{}').toString('base64url')]) {
    expect(readKeyRefusal({ 'pult-key-refusal': encoded })).toEqual({ code: 'unknown' });
  }
  expect(readKeyRefusal({})).toBeUndefined();
});
