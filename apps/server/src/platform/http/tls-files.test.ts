import { once } from 'node:events';
import { rename, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { makeTempDir } from '@pult/testkit';
import { certificates } from '@pult/testkit/certificates';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { readTlsFiles, watchTlsFiles } from './tls-files.ts';

let folder: Awaited<ReturnType<typeof makeTempDir>>;
let files: { cert: string; key: string };
let server: Server;
let stop: () => void;
let failures: string[];

async function replace(path: string, content: string): Promise<void> {
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}

beforeEach(async () => {
  folder = await makeTempDir('tls');
  files = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') };
  failures = [];
  await writeFile(files.cert, certificates.one.cert);
  await writeFile(files.key, certificates.one.key);
  const pair = await readTlsFiles(files);
  server = createServer(pair);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const renew = (tls: { cert: string; key: string }) => {
    try {
      server.setSecureContext(tls);
    } catch (error) {
      failures.push(String(error));
      throw error;
    }
  };
  stop = watchTlsFiles(files, pair, renew, { log: createLog('silent'), intervalMs: 20 });
});
afterEach(async () => {
  stop();
  server.close();
  await folder.remove();
});

/** Whose certificate a new connection gets. */
async function presented(): Promise<string> {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

describe('TLS files', () => {
  it('TLS files that are replaced are taken for new connections', async () => {
    expect(await presented()).toBe('pult-test-one');
    await replace(files.cert, certificates.two.cert);
    await replace(files.key, certificates.two.key);
    await expect.poll(presented).toBe('pult-test-two');
  });

  it('TLS files that do not fit leave the old pair, until the other comes', async () => {
    await replace(files.cert, certificates.two.cert);
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    expect(await presented()).toBe('pult-test-one');
    await replace(files.key, certificates.two.key);
    await expect.poll(presented).toBe('pult-test-two');
  });

  it('TLS files that are garbage or gone leave the old pair', async () => {
    await replace(files.cert, 'no certificate');
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    await rename(files.key, `${files.key}.old`);
    expect(await presented()).toBe('pult-test-one');
  });

  it('TLS files behind a link that turns to another folder are taken', async () => {
    stop();
    const [old, fresh] = [join(folder.path, 'v1.pem'), join(folder.path, 'v2.pem')];
    await writeFile(old, `${certificates.one.cert}\n${certificates.one.key}`);
    await writeFile(fresh, `${certificates.two.cert}\n${certificates.two.key}`);
    const current = join(folder.path, 'current.pem');
    await symlink(old, current);
    const linked = { cert: current, key: current };
    stop = watchTlsFiles(linked, await readTlsFiles(linked), (pair) => server.setSecureContext(pair), {
      log: createLog('silent'),
      intervalMs: 20,
    });
    await symlink(fresh, `${current}.new`);
    await rename(`${current}.new`, current);
    await expect.poll(presented).toBe('pult-test-two');
  });
});
