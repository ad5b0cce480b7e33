import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApiClient, freePort, makeTempDir, poll, RunningProcess, repositoryPath } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** `npm start` without npm. */

let folder: Awaited<ReturnType<typeof makeTempDir>>;
beforeAll(async () => {
  folder = await makeTempDir('start');
});
afterAll(() => folder?.remove());

const startPult = (env: Record<string, string>, { isOnTerminal = false } = {}) => {
  const script = repositoryPath('tools/start.mjs');
  const [command, args] = isOnTerminal
    ? ['script', ['--quiet', '--return', '--command', `exec '${process.execPath}' '${script}'`, '/dev/null']]
    : [process.execPath, [script]];
  const variables = { APP_ENV: 'test', SSH_JUMP_PORT: '0', TERM: 'xterm', NO_COLOR: '1', ...env };
  return new RunningProcess({ name: 'npm start', command, args, env: variables });
};

test('npm start shows what people need, and writes the log to the file that it names', async () => {
  const dataDir = join(folder.path, 'data');
  const port = await freePort();
  await using pult = startPult({ PORT: String(port), DATA_DIR: dataDir });
  await pult.waitForLine(/Ctrl\+C stops everything/, { timeoutMs: 90_000 });
  expect(pult.hasLine(new RegExp(`Address: +http://localhost:${port}`))).toBe(true);
  expect(pult.hasLine(/activation link: \S+token=/)).toBe(true);
  const firstLogin = join(dataDir, 'first-login');
  expect(pult.hasLine(/Administrator: +admin@example\.com/)).toBe(true);
  expect(pult.hasLine(new RegExp(`Password: +in ${firstLogin}\\b`))).toBe(true);
  const [, password = 'missing'] = /^Password: (\S+)$/m.exec(await readFile(firstLogin, 'utf8')) ?? [];
  const [, path = ''] = await pult.waitForLine(/Log: (\S+)/);
  expect(path).toBe(join(dataDir, 'start.log'));

  const log = await poll(
    async () => {
      const text = await readFile(path, 'utf8');
      return text.includes('device linked') && text;
    },
    { what: 'the log tells of the link' },
  );
  expect(log).toContain('server ready');
  expect(log).toMatch(/agent: serial number: \S+/);
  expect(log).toContain(firstLogin);
  expect(log + pult.tail(Number.POSITIVE_INFINITY)).not.toContain(password);
  expect((await stat(path)).mode & 0o077).toBe(0);
  expect(pult.hasLine(/"level"|server ready|device linked|serial number:/)).toBe(false);

  // One that comes second finds the folder taken, and leaves it as it is.
  await using second = startPult({ PORT: String(await freePort()), DATA_DIR: dataDir });
  expect((await second.exited).code).toBe(1);
  expect(second.hasLine(/Another server .* already works with the folder/)).toBe(true);
  expect(await readFile(path, 'utf8')).toContain('device linked');
  await expect(stat(`${path}.1`)).rejects.toThrow('ENOENT');
  expect((await pult.stop(30_000)).code).toBe(0);
}, 150_000);

/** The terminal ends with what runs on it; ended first, it would leave that to end by itself. */
async function stopOnTerminal({ pid, exited }: RunningProcess): Promise<void> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of children.trim().split(' ')) process.kill(Number(child), 'SIGTERM');
  await exited;
}

test('npm start shows the generated password on a terminal until the first login', async () => {
  const dataDir = join(folder.path, 'of-a-terminal');
  const port = await freePort();
  const env = { PORT: String(port), DATA_DIR: dataDir };
  for (const isFirst of [true, false]) {
    await using pult = startPult(env, { isOnTerminal: true });
    await pult.waitForLine(/Ctrl\+C stops everything/, { timeoutMs: 90_000 });
    expect(pult.hasLine(/Password:/)).toBe(isFirst);
    if (isFirst) {
      const [, password = ''] = await pult.waitForLine(/Password: +(\S+)/);
      await createApiClient({ baseUrl: `http://localhost:${port}`, username: 'admin@example.com', password });
      await expect(stat(join(dataDir, 'first-login'))).rejects.toThrow('ENOENT');
      expect(await readFile(join(dataDir, 'start.log'), 'utf8')).not.toContain(password);
    }
    await stopOnTerminal(pult);
  }
}, 240_000);

test('an error that stops npm start is on the screen', async () => {
  await using pult = startPult({
    PORT: String(await freePort()),
    DATA_DIR: join(folder.path, 'unused'),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  });
  expect((await pult.exited).code).toBe(1);
  expect(pult.hasLine(/The server could not start/)).toBe(true);
  expect(pult.hasLine(/ECONNREFUSED/)).toBe(true);
}, 60_000);

test('a data folder that cannot be one stops npm start with one sentence', async () => {
  const file = join(folder.path, 'file');
  await writeFile(file, '');
  await using pult = startPult({ PORT: String(await freePort()), DATA_DIR: file });
  expect((await pult.exited).code).toBe(1);
  expect(pult.hasLine(/The data folder \S+ is a file or lies below one, and has to be a folder: /)).toBe(
    true,
  );
  expect(pult.hasLine(/EEXIST|^\s+at /)).toBe(false);
}, 60_000);
