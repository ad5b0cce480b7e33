import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  createByteSource,
  hashByteSource,
  openSshOptions,
  type RunCommandOptions,
  runCommand,
} from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLightSite } from './light-server.ts';
import { openSshProxy } from './open-ssh.ts';
import { claim, type Site } from './site.ts';

let site: Site;
let options: string[];
const bytes = 8_000_000;

beforeAll(async () => {
  site = await startLightSite();
  await claim(site);
  options = await openSshOptions(site.ssh, openSshProxy(site));
  await pipeline(createByteSource(bytes), createWriteStream(join(site.ssh.folder, 'archive')));
}, 120_000);
afterAll(() => site?.[Symbol.asyncDispose]());

const run = (command: string, args: string[], more: RunCommandOptions = {}) =>
  runCommand(command, [...options, ...args], { env: { PULT_ACCESS: site.api.access }, ...more });
const device = (path = '') => `${site.ssh.user}@device${path}`;

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

test('ssh passes input, output, errors and the exit code', async () => {
  const answer = await run('ssh', [device(), 'cat; echo oops >&2; exit 7'], { input: 'привет\u0000мир' });
  expect(answer).toMatchObject({ code: 7, stdout: 'привет\u0000мир' });
  expect(answer.stderr).toContain('oops');
});

test('ssh is end to end: another host key than the device’s is refused by the client', async () => {
  const knownHosts = join(site.ssh.folder, 'wrong-known-hosts');
  await writeFile(knownHosts, `device ${site.ssh.clientKey.publicKey}\n`);
  const answer = await runCommand(
    'ssh',
    ['-o', `UserKnownHostsFile=${knownHosts}`, ...options, device(), 'true'],
    { env: { PULT_ACCESS: site.api.access } },
  );
  expect(answer.code).toBe(255);
  expect(answer.stderr).toContain('Host key verification failed');
});

test('scp copies to the device and back', async () => {
  const path = (name: string) => join(site.ssh.folder, name);
  const upload = await run('scp', [path('archive'), device(`:${path('uploaded')}`)]);
  expect(upload).toMatchObject({ code: 0 });
  const download = await run('scp', [device(`:${path('uploaded')}`), path('downloaded')]);
  expect(download).toMatchObject({ code: 0 });
  expect(await hashFile(path('downloaded'))).toBe(hashByteSource(bytes));
});

test('sftp lists, puts and gets', async () => {
  const path = (name: string) => join(site.ssh.folder, name);
  const commands = [`put ${path('sshd_config')} ${path('from-sftp')}`, `ls -1 ${site.ssh.folder}`];
  const answer = await run('sftp', ['-b', '-', device()], { input: `${commands.join('\n')}\n` });
  expect(answer).toMatchObject({ code: 0 });
  expect(answer.stdout).toContain(path('from-sftp'));
  expect(await readFile(path('from-sftp'), 'utf8')).toBe(await readFile(path('sshd_config'), 'utf8'));
});

test('sessions at once do not mix', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, number) => run('ssh', [device(), `echo session ${number}`])),
  );
  expect(answers.map(({ stdout }) => stdout)).toEqual(
    Array.from({ length: 5 }, (_, number) => `session ${number}\n`),
  );
});

test('no tunnel opens without a login', async () => {
  const answer = await run('ssh', [device(), 'true'], { env: { PULT_ACCESS: 'forged' } });
  expect(answer.code).toBe(255);
  expect(answer.stderr).toContain('Log in first.');
});
