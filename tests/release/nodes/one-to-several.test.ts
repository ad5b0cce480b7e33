import { join } from 'node:path';
import {
  builtPath,
  createApiClient,
  freePort,
  makeTempDir,
  ResourceStack,
  runCommand,
  type ServerProcess,
  startNatsServer,
  startPostgresPair,
  startServerProcess,
} from '@pult/testkit';
import { expect, test } from 'vitest';
import { collectArchive, readArchiveDigest } from '../../interop/archive.ts';
import { startBucket } from '../../interop/installation-of-nodes.ts';
import { claim, logIn, type Site, startSite, waitForStatus } from '../../interop/site.ts';
import { readShell } from '../../interop/terminal-client.ts';

/** The same controller, seen by another server. */
async function seenBy(site: Site, server: ServerProcess): Promise<Site> {
  const { adminEmail: username, adminPassword: password } = server;
  const api = await createApiClient({ baseUrl: server.url, username, password });
  return { ...site, server, api };
}

test('an installation goes from one node to several and back by the page that tells how, with accounts, controllers, keys and archives', async () => {
  await using stack = new ResourceStack();
  const folder = await makeTempDir('one-to-several');
  stack.use({ [Symbol.asyncDispose]: () => folder.remove() });
  const site = stack.use(await startSite());
  await claim(site);
  const { fingerprint } = site.ssh.hostKey;
  expect(await readShell(site)).toMatchObject({ hostKeyFingerprint: fingerprint, hostKeyIsNew: true });
  const { id: archive, sha256: digest } = await collectArchive(site);
  const { port, url, dataDir } = site.server;
  await site.server.halt();

  const [postgres, nats] = await Promise.all([startPostgresPair(), startNatsServer()]);
  stack.use(postgres);
  stack.use(nats);
  const engines = { DATABASE_URL: postgres.url, ...(await startBucket(stack, folder.path)) };
  const pult = async (...words: string[]) => {
    const env = { DATA_DIR: dataDir, PUBLIC_URL: url, ...engines };
    const { code, stdout, stderr } = await runCommand(
      process.execPath,
      [builtPath('apps/server/dist/pult.js'), ...words],
      { env },
    );
    expect(stderr).not.toContain('rror');
    expect(code).toBe(0);
    return stdout;
  };
  expect(await pult('database', 'copy')).toMatch(/Copied and compared: \d+ rows in \d+ tables\./);
  expect(await pult('archives', 'copy')).toContain('Copied: 1 archives');
  const shared = { ...engines, SECRETS_KEY: (await pult('secrets', 'key')).trim() };

  const startFirst = async (env: Record<string, string>) =>
    seenBy(site, stack.use(await startServerProcess({ port, dataDir, env: { ...shared, ...env } })));
  /** `page`: where the browser is, of PUBLIC_URL; a balancer would lead it on to the node. */
  const expectAll = async (by: Site, page = by) => {
    await waitForStatus(by, 'online');
    expect(await readShell(by)).toMatchObject({ hostKeyFingerprint: fingerprint, hostKeyIsNew: false });
    expect(await readArchiveDigest(archive, by, await logIn(page))).toBe(digest);
  };

  // Without the other engines first, to look.
  let since = site.agent.process.nextLine;
  const alone = await startFirst({});
  await site.agent.waitForLink(since);
  await expectAll(alone);
  await alone.server.halt();

  since = site.agent.process.nextLine;
  const [secondPort, ...nodePorts] = await Promise.all([freePort(), freePort(), freePort()]);
  const several = (nodePort: number | undefined) => ({
    NATS_URL: `nats://127.0.0.1:${nats.port}`,
    NODE_ADDRESS: `127.0.0.1:${nodePort}`,
    PUBLIC_URL: url,
    AGENT_URLS: [url, `http://localhost:${secondPort}`].join(),
  });
  const first = await startFirst(several(nodePorts[0]));
  const other = {
    port: secondPort,
    dataDir: join(folder.path, 'second'),
    env: { ...shared, ...several(nodePorts[1]) },
  };
  const second = await seenBy(site, stack.use(await startServerProcess(other)));
  await site.agent.waitForLink(since);
  await expectAll(first);
  await expectAll(second, first);

  // And back.
  await second.server.halt();
  await first.server.halt();
  since = site.agent.process.nextLine;
  const back = await startFirst({});
  await site.agent.waitForLink(since);
  await expectAll(back);
}, 180_000);
