import { join } from 'node:path';
import { terminalPath } from '@pult/contract';
import { makeSshKey } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLightSite } from './light-server.ts';
import { claim, logIn, openTunnel, type Site } from './site.ts';
import { startTerminal, TerminalClient } from './terminal-client.ts';

let site: Site;

beforeAll(async () => {
  site = await startLightSite();
  await claim(site);
}, 120_000);
afterAll(() => site?.[Symbol.asyncDispose]());

test('a private key opens a shell of the real sshd, whose host key is pinned', async () => {
  const first = await startTerminal(site);
  expect(await first.nextMessage()).toMatchObject({
    type: 'ready',
    hostKeyFingerprint: site.ssh.hostKey.fingerprint,
    hostKeyIsNew: true,
  });
  first.type('uname -a; exit 3\r');
  expect(await first.nextMessage()).toEqual({ type: 'exit', exitCode: 3, signal: null });
  expect(first.output).toMatch(/Linux \S+ \d/);
  await first.closed;

  const second = await startTerminal(site);
  expect(await second.nextMessage()).toMatchObject({ type: 'ready', hostKeyIsNew: false });
  second.close();
});

test('the terminal has the size it was given and follows its changes', async () => {
  const terminal = await startTerminal(site, { columns: 101, rows: 33 });
  await terminal.nextMessage();
  terminal.type('stty size\r');
  await terminal.waitForOutput(/33 101/);
  terminal.send({ type: 'resize', columns: 55, rows: 11 });
  terminal.type('stty size\r');
  await terminal.waitForOutput(/11 55/);
  terminal.close();
});

test('bytes of any kind pass, Cyrillic included', async () => {
  const terminal = await startTerminal(site);
  await terminal.nextMessage();
  terminal.type(`printf '\\320\\277\\321\\203\\320\\273\\321\\214\\321\\202\\n'\r`);
  await terminal.waitForOutput(/пульт/);
  terminal.close();
});

test('a key with a passphrase works with it and is refused without', async () => {
  const key = await makeSshKey(join(site.ssh.folder, 'with-passphrase'), 'тайна');
  const withPassphrase = (passphrase?: string) => ({
    credential: {
      method: 'private_key' as const,
      privateKey: key.privateKey,
      ...(passphrase === undefined ? {} : { passphrase }),
    },
  });
  const without = await startTerminal(site, withPassphrase());
  expect(await without.nextMessage()).toMatchObject({ type: 'failed', code: 'ssh_private_key_invalid' });
  // Readable, but not authorized on the device.
  const stranger = await startTerminal(site, withPassphrase('тайна'));
  expect(await stranger.nextMessage()).toMatchObject({ type: 'failed', code: 'ssh_authentication_failed' });
});

test('a password that sshd does not take is a clear failure', async () => {
  const terminal = await startTerminal(site, { credential: { method: 'password', password: 'wrong' } });
  const failure = await terminal.nextMessage();
  expect(failure).toMatchObject({ type: 'failed', code: 'ssh_authentication_failed' });
  await terminal.closed;
});

test('a tunnel key opens one terminal', async () => {
  const { tunnelKey } = await openTunnel(site, 'ssh');
  const first = await startTerminal(site, { tunnelKey });
  expect(await first.nextMessage()).toMatchObject({ type: 'ready' });
  const second = await startTerminal(site, { tunnelKey });
  expect(await second.nextMessage()).toMatchObject({ type: 'failed', code: 'tunnel_ticket_invalid' });
  first.close();
});

test('an http ticket opens no terminal', async () => {
  const { tunnelKey } = await openTunnel(site, 'http');
  const terminal = await startTerminal(site, { tunnelKey });
  expect(await terminal.nextMessage()).toMatchObject({ type: 'failed', code: 'tunnel_ticket_invalid' });
});

test.each([
  ['no JSON', 'hello'],
  ['a message of no kind', '{"type":"launch"}'],
  ['a resize before the start', '{"type":"resize","columns":80,"rows":24}'],
  [
    'a start without a credential',
    '{"type":"start","tunnelKey":"k","username":"root","columns":80,"rows":24}',
  ],
  ['null', 'null'],
])('%s is refused with a reason', async (_name, message) => {
  const terminal = await TerminalClient.open(site);
  terminal.sendRaw(message);
  expect(await terminal.nextMessage()).toMatchObject({ type: 'failed', code: 'invalid_request' });
  await terminal.closed;
});

test('the console’s own page opens a terminal by its cookie', async () => {
  const browser = await logIn(site);
  const socket = await browser.openWebSocket(site.server.url + terminalPath, {
    headers: { origin: site.server.url },
  });
  socket.terminate();
});

test.each([
  ['another site', 'http://evil.example'],
  ['another port', 'http://localhost:1'],
  ['a tunnel host', undefined],
  ['a null origin', 'null'],
  ['no origin', ''],
])('a WebSocket with the cookie from %s is refused', async (_name, origin = site.tunnelUrl) => {
  const browser = await logIn(site);
  const refused = browser.openWebSocket(site.server.url + terminalPath, {
    headers: origin === '' ? {} : { origin },
  });
  await expect(refused).rejects.toMatchObject({ name: 'WebSocketRefused', status: 400 });
});

test('no terminal opens without a login', async () => {
  const refused = TerminalClient.open(site, { origin: site.server.url });
  await expect(refused).rejects.toMatchObject({ name: 'WebSocketRefused', status: 401 });
});

test('a path beside the terminal’s upgrades nothing', async () => {
  const browser = await logIn(site);
  const socket = browser.openWebSocket(`${site.server.url}${terminalPath}more/`, {
    headers: { origin: site.server.url },
  });
  await expect(socket).rejects.toMatchObject({ name: 'WebSocketRefused', status: 404 });
});

// Last: the device has another host key from here on.
test('a changed host key stops the login and shows both fingerprints', async () => {
  const pinnedFingerprint = site.ssh.hostKey.fingerprint;
  await site.ssh.replaceHostKey();
  const terminal = await startTerminal(site);
  expect(await terminal.nextMessage()).toMatchObject({
    type: 'failed',
    code: 'host_key_changed',
    pinnedFingerprint,
    presentedFingerprint: site.ssh.hostKey.fingerprint,
  });
  await terminal.closed;
});
