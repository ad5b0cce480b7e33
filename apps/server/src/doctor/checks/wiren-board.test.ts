import { createServer } from 'node:net';
import { freePort, listenOnLoopback } from '@pult/testkit';
import { certificates } from '@pult/testkit/certificates';
import { createListeningServer } from '@pult/testkit/in-process';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { readEnvironment } from '../../config/env.ts';
import { examine, sayDiagnosis } from '../doctor.ts';
import { wirenBoard } from './wiren-board.ts';

const named = { TLS_CERT: '/a.pem', TLS_KEY: '/b.pem', PUBLIC_URL: 'https://pult.invalid' };

/** What the doctor says of Wiren Board controllers, as `status text`, and what to do. */
async function look(env: Record<string, string>) {
  const config = loadConfig(readEnvironment({ env: { PORT: '1', ...env }, directory: null }), {
    version: '',
  });
  const diagnosis = await examine(config, [wirenBoard]);
  const [en, ru] = (['en', 'ru'] as const).map((locale) =>
    sayDiagnosis(diagnosis, locale).findings.map(
      ({ status, text, action = '' }) => `${status} ${text} ${action}`,
    ),
  );
  expect(ru?.every((text) => /[а-яё]/.test(text))).toBe(true);
  return en;
}

test('the doctor names what stands in the way of Wiren Board controllers, and how to be asked no more', async () => {
  expect(await look({})).toEqual([
    expect.stringMatching(
      /^warn The server has no name in DNS, its address is localhost.*WB_DEVICE_CA=off\.$/,
    ),
  ]);
  expect(await look({ PUBLIC_URL: 'http://pult.invalid' })).toEqual([
    expect.stringMatching(/^warn The server is reached without TLS \(http:\/\/pult\.invalid\)/),
  ]);
});

test('the doctor finds it well that somebody does not want Wiren Board controllers', async () => {
  expect(await look({ ...named, ENROLLMENT_KEY: 'sixteen-characters' })).toEqual([
    expect.stringMatching(/^ok .*ENROLLMENT_KEY/),
  ]);
  expect(await look({ WB_DEVICE_CA: 'off' })).toEqual([expect.stringMatching(/^ok /)]);
});

test('the doctor finds the names of Wiren Board controllers missing, also where somebody has asked for them', async () => {
  const free = { WB_TUNNEL_PORT: String(await freePort()) };
  const missing = expect.stringMatching(/^warn .*agent\.pult\.invalid, tunnel\.pult\.invalid/);
  expect(await look({ ...named, ...free })).toEqual([missing]);
  expect(await look({ ...named, ...free, WB_DEVICE_CA: 'builtin' })).toEqual([missing]);
});

test('the doctor finds the port of Wiren Board controllers taken before a start', async () => {
  const other = createServer();
  const port = await listenOnLoopback(other);
  onTestFinished(() => void other.close());
  const [found] = (await look({ ...named, WB_TUNNEL_PORT: String(port) })) ?? [];
  expect(found).toMatch(new RegExp(`^warn Port ${port},.* is taken`));
});

test('the doctor says what a server that runs says of Wiren Board controllers', async () => {
  const other = createServer();
  const taken = await listenOnLoopback(other);
  onTestFinished(() => void other.close());
  const port = await freePort();
  const environment = {
    ...{ ...named, PORT: String(port), PUBLIC_URL: `https://pult.invalid:${port}` },
    WB_TUNNEL_PORT: String(taken),
  };
  await using server = await createListeningServer({ tls: certificates.one, environment });
  expect(server.port).toBe(port);
  // Another than that of the server: its own word counts.
  const [found] = (await look({ ...environment, WB_TUNNEL_PORT: String(await freePort()) })) ?? [];
  expect(found).toMatch(new RegExp(`^warn Port ${taken},`));
});
