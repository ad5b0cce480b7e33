import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryFiles } from './memory-files.ts';
import { startToySshServer, type ToySshServer } from './toy-ssh-server.ts';

const run = promisify(execFile);

let folder: string;
let server: ToySshServer;
let options: string[];
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pult-demo-sftp-'));
  server = await startToySshServer({ dataDir: folder, name: 'demo-pump' });
  const askPassword = join(folder, 'ask-password');
  await writeFile(askPassword, '#!/bin/sh\necho demo\n');
  await chmod(askPassword, 0o700);
  env = { PATH: process.env.PATH ?? '', SSH_ASKPASS: askPassword, SSH_ASKPASS_REQUIRE: 'force' };
  const settings = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', `Port=${server.port}`];
  options = ['-F', 'none', ...settings.flatMap((setting) => ['-o', setting])];
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true });
});

test('stock scp copies a file to a controller of the demo and back', async () => {
  const source = join(folder, 'source.bin');
  const copy = join(folder, 'copy.bin');
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
  await writeFile(source, bytes);
  await run('scp', [...options, source, 'demo@127.0.0.1:note.bin'], { env });
  await run('scp', [...options, 'demo@127.0.0.1:note.bin', copy], { env });
  expect((await readFile(copy)).equals(bytes)).toBe(true);
  const { stdout } = await run('ssh', [...options, 'demo@127.0.0.1', 'ls -la'], { env });
  expect(stdout).toMatch(/^-rw-r--r-- 1 demo demo 300000 .* note\.bin$/m);
});

test('stock sftp lists, makes, renames and removes on a controller of the demo', async () => {
  const batch = join(folder, 'batch');
  await writeFile(
    batch,
    ['pwd', 'mkdir new', 'rename README.txt new/read.me', 'ls -la new', 'rm new/read.me', 'rmdir new'].join(
      '\n',
    ),
  );
  // A batch asks for no password, unless it is told that it may.
  const args = [...options, '-o', 'BatchMode=no', '-b', batch, 'demo@127.0.0.1'];
  const { stdout } = await run('sftp', args, { env });
  expect(stdout).toContain('Remote working directory: /home/demo');
  expect(stdout).toMatch(/-rw-r--r-- .* read\.me/);
  const { stdout: left } = await run('ssh', [...options, 'demo@127.0.0.1', 'ls'], { env });
  expect(left).not.toMatch(/new|README/);
});

test('files of the demo take a bounded space, which removed ones give back', () => {
  const files = new MemoryFiles();
  const free = files.freeBytes;
  const file = files.makeFile('/large');
  const megabyte = Buffer.alloc(1024 * 1024);
  const fill = () => {
    for (let at = 0; ; at += megabyte.length) files.write(file, at, megabyte);
  };
  expect(fill).toThrow('no_space');
  expect(() => files.write(file, 2 ** 40, Buffer.alloc(1))).toThrow('no_space');
  files.removeFile('/large');
  expect(files.freeBytes).toBe(free);
  expect(() => files.write(file, 0, Buffer.alloc(1))).toThrow('not_found');
  const many = () => {
    for (let count = 0; ; count += 1) files.makeFile(`/file-${count}`);
  };
  expect(many).toThrow('no_space');
});
