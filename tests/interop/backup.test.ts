import { createHash } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createApiClient, makeTempDir, poll } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claim, logIn, type Site, startSite, waitForStatus } from './site.ts';
import { startTerminal } from './terminal-client.ts';

let site: Site;
let folder: Awaited<ReturnType<typeof makeTempDir>>;

beforeAll(async () => {
  folder = await makeTempDir('backup');
  site = await startSite();
}, 120_000);
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await folder?.remove();
});

/** Opens a shell; returns what it says of the key of the device's sshd, and whether that was pinned just now. */
async function openShell(): Promise<unknown> {
  const terminal = await startTerminal(site);
  try {
    return await terminal.nextMessage();
  } finally {
    terminal.close();
  }
}

async function collectArchive() {
  const params = { serialNumber: site.serialNumber };
  await site.api.call('requestDiagnostic', { params });
  return poll(
    async () => {
      const [newest] = await site.api.call('listDiagnostics', { params });
      return newest?.status === 'ready' && newest;
    },
    { what: 'the archive is collected', timeoutMs: 60_000 },
  );
}

async function readArchiveDigest(id: string): Promise<string> {
  const browser = await logIn(site);
  const answer = await browser.request(`${site.server.url}/api/v1/download/${id}`);
  expect(answer.status).toBe(200);
  const hash = createHash('sha256');
  for await (const chunk of answer.body) hash.update(chunk);
  return hash.digest('hex');
}

test('a server that was killed is restored of its backup: login, controllers, pinned host keys, archives and the agent are back, sessions are not', async () => {
  const { server } = site;
  await claim(site);
  const { fingerprint } = site.ssh.hostKey;
  expect(await openShell()).toMatchObject({ hostKeyFingerprint: fingerprint, hostKeyIsNew: true });
  const archive = await collectArchive();
  const file = join(folder.path, 'pult.tar.gz');
  const made = await server.runPult('backup', 'create', file);
  expect(made).toMatchObject({ code: 0 });
  expect(made.stdout).toContain('It is not encrypted');
  expect(made.stderr).not.toContain('will not list');
  const { backups } = await site.api.call('getInstallation');
  expect(backups?.runs).toMatchObject([
    { name: 'pult.tar.gz', origin: 'command', requestedBy: userInfo().username, status: 'done' },
  ]);
  expect((await server.runPult('upgrade', 'check')).stdout).toContain('schema: up to date');

  await server.kill();
  const lost = join(folder.path, 'lost');
  await rename(server.dataDir, lost);
  const restored = await server.runPult('restore', file);
  expect(restored.stderr).toBe('');
  expect(restored.stdout).toContain('Organizations: 1, users: 1, controllers: 1');
  const since = site.agent.process.nextLine;
  await server.start();
  // The status of before stands for a while.
  await site.agent.waitForLink(since);
  expect(await readdir(server.dataDir)).not.toContain('restored.json');

  await expect(site.api.call('getCurrentUser')).rejects.toMatchObject({ status: 401 });
  site.api = await createApiClient({
    baseUrl: server.url,
    username: server.adminEmail,
    password: server.adminPassword,
  });
  const controller = await waitForStatus(site, 'online');
  expect(controller.statusReason).toBe('link');
  expect(await openShell()).toMatchObject({
    type: 'ready',
    hostKeyFingerprint: fingerprint,
    hostKeyIsNew: false,
  });
  expect(await readArchiveDigest(archive.id)).toBe(archive.sha256);
  expect((await server.runPult('restore', file)).stderr).toContain('is not empty');
  await rm(lost, { recursive: true });
}, 240_000);
