import { readdir, rename, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { builtPath, createApiClient, makeTempDir, runCommand } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectArchive, readArchiveDigest } from './archive.ts';
import { startLightSite } from './light-server.ts';
import { claim, logIn, type Site, startSite, waitForStatus } from './site.ts';
import { readShell } from './terminal-client.ts';

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

test('a server that was killed is restored of its backup: login, controllers, pinned host keys, archives and the agent are back, sessions are not', async () => {
  const { server } = site;
  await claim(site);
  const { fingerprint } = site.ssh.hostKey;
  expect(await readShell(site)).toMatchObject({ hostKeyFingerprint: fingerprint, hostKeyIsNew: true });
  const archive = await collectArchive(site);
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
  expect(await readShell(site)).toMatchObject({
    type: 'ready',
    hostKeyFingerprint: fingerprint,
    hostKeyIsNew: false,
  });
  expect(await readArchiveDigest(archive.id, site, await logIn(site))).toBe(archive.sha256);
  await rm(lost, { recursive: true });
}, 240_000);

test('a backup beside a database of one’s own has all the rest, and says so; login, agent and archives are back over that database', async () => {
  await using other = await startLightSite();
  const { server } = other;
  await claim(other);
  const archive = await collectArchive(other);
  const file = join(folder.path, 'rest.tar.gz');
  const made = await server.runPult('backup', 'create', file);
  expect(made).toMatchObject({ code: 0 });
  expect(made.stdout).toContain('The database of DATABASE_URL is not in it');
  const verified = await server.runPult('backup', 'verify', file);
  expect(verified).toMatchObject({ code: 0 });
  expect(verified.stdout).toMatch(/The backup is whole[\s\S]*pg_dump --format=custom/);
  expect((await readdir(server.dataDir)).filter((entry) => entry.startsWith('postgres'))).toEqual([]);

  await server.kill();
  await rm(server.dataDir, { recursive: true });
  const without = await runCommand(
    process.execPath,
    [builtPath('apps/server/dist/pult.js'), 'restore', file],
    {
      env: { DATA_DIR: server.dataDir, PUBLIC_URL: server.url },
    },
  );
  expect(without.stderr).toContain('Restore that by its own tools and set DATABASE_URL.');
  expect(await server.runPult('restore', file)).toMatchObject({ code: 0, stderr: '' });
  const since = other.agent.process.nextLine;
  await server.start();
  await other.agent.waitForLink(since);
  other.api = await createApiClient({
    baseUrl: server.url,
    username: server.adminEmail,
    password: server.adminPassword,
  });
  expect(await readArchiveDigest(archive.id, other, await logIn(other))).toBe(archive.sha256);
}, 240_000);
