import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import {
  builtPath,
  findKnot,
  findPebble,
  freePort,
  HttpClient,
  makeTempDir,
  poll,
  RunningProcess,
  startDnsServer,
  startPebble,
} from '@pult/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';

const obstacle = findPebble() && findKnot() ? undefined : 'pebble and knotd are missing';
const title = obstacle ? `certificates by ACME (not here: ${obstacle})` : 'certificates by ACME';
const key = {
  name: 'pult-key',
  algorithm: 'hmac-sha256',
  secret: Buffer.from('a key for tests of updates alone').toString('base64'),
};

describe.skipIf(obstacle)(title, () => {
  test('a server that was just installed has them for console and web interfaces, and keeps them over a restart and a restored backup', async () => {
    const [port, plainPort] = [await freePort(), await freePort()];
    const folder = await makeTempDir('acme');
    const dns = await startDnsServer({ zones: { 'pult.test': ['@ A 127.0.0.1', '* A 127.0.0.1'] }, key });
    const pebble = await startPebble({ httpPort: plainPort, tlsPort: port, dnsPort: dns.port });
    onTestFinished(async () => {
      await pebble[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
      await folder.remove();
    });
    const env = {
      PORT: String(port),
      HTTP_PORT: String(plainPort),
      PUBLIC_URL: `https://pult.test:${port}`,
      DATA_DIR: join(folder.path, 'data'),
      SSH_JUMP_PORT: '0',
      ADMIN_PASSWORD: 'correct horse battery',
      APP_ENV: 'test',
      ACME_EMAIL: 'operator@pult.test',
      ACME_DIRECTORY: pebble.directory,
      ACME_CA_FILE: pebble.caFile,
      ACME_DNS_SERVER: `127.0.0.1:${dns.port}`,
      ACME_DNS_TSIG_NAME: key.name,
      ACME_DNS_TSIG_SECRET: key.secret,
    };
    const start = async () => {
      const args = [builtPath('apps/server/dist/main.js')];
      const running = new RunningProcess({
        name: 'server',
        command: process.execPath,
        args,
        cwd: folder.path,
        env,
      });
      onTestFinished(() => running.stop().then(() => undefined));
      await running.waitForLine(/server ready/, { timeoutMs: 60_000 });
      return running;
    };
    const readSerial = (servername: string, ca: string) =>
      new Promise<string | undefined>((resolve) => {
        const socket = connect({ host: '127.0.0.1', port, servername, ca });
        socket.once('secureConnect', () => {
          resolve(socket.getPeerX509Certificate()?.serialNumber);
          socket.destroy();
        });
        socket.once('error', () => resolve(undefined)); // it is not trusted yet
      });

    const first = await start();
    const root = await pebble.readRoot();
    const names = ['pult.test', 'a1b2--8080.http.pult.test'];
    const waitForTrusted = () =>
      Promise.all(names.map((name) => poll(() => readSerial(name, root), { what: name, timeoutMs: 30_000 })));
    const serials = await waitForTrusted();
    const ready = await new HttpClient({ ca: root }).request(`https://pult.test:${port}/readyz`);
    expect(ready.status).toBe(200);
    ready.body.resume();
    // What the doctor says of it, by its own eyes.
    const run = promisify(execFile);
    const answer = await run(process.execPath, [builtPath('apps/server/dist/pult.js'), 'doctor', '--json'], {
      env: { ...process.env, ...env, NODE_EXTRA_CA_CERTS: pebble.caFile },
    }).catch((error: { stdout: string }) => error);
    const { findings } = JSON.parse(answer.stdout) as {
      findings: { check: string; status: string; text: string }[];
    };
    const told = findings
      .filter(({ check }) => check === 'acme')
      .map(({ status, text }) => `${status} ${text}`);
    expect(told).toContainEqual(expect.stringMatching(/^ok the authority at localhost:\d+ answers$/));
    expect(told).toContainEqual(expect.stringMatching(/^ok the certificate for pult\.test is renewed on 20/));
    expect(told).toContainEqual(
      expect.stringMatching(/^ok the certificate for \*\.http\.pult\.test is renewed on 20/),
    );

    await first.stop();
    await pebble.process.stop();
    const second = await start();
    expect(await waitForTrusted()).toEqual(serials);

    // Nothing could be ordered anew: the authority is not there any more.
    const file = join(folder.path, 'pult.tar.gz');
    const pult = (...args: string[]) =>
      run(process.execPath, [builtPath('apps/server/dist/pult.js'), ...args], {
        env: { ...process.env, ...env },
      });
    await pult('backup', 'create', file);
    await second.stop();
    await rm(env.DATA_DIR, { recursive: true });
    await pult('restore', file);
    await start();
    expect(await waitForTrusted()).toEqual(serials);
  }, 300_000);
});
