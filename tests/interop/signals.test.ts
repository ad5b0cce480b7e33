import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtPath, freePort, makeTempDir, poll, RunningProcess, startServerProcess } from '@pult/testkit';
import { expect, test } from 'vitest';

/** Children of a process, and theirs: the database under its supervisor. */
async function listDescendants(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // A process may end while it is looked at.
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
    const parent = /^ \S (\d+)/.exec(stat.slice(stat.lastIndexOf(')') + 1))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const found = [root];
  for (const pid of found) {
    for (const [child, parent] of parents) if (parent === pid) found.push(child);
  }
  return found.slice(1);
}

const isAlive = (pid: number) =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => !stat.includes(') Z '),
    () => false,
  );

async function expectAllGone(pids: number[]): Promise<void> {
  const areGone = async () => !(await Promise.all(pids.map(isAlive))).includes(true);
  await poll(areGone, { what: 'the database and its supervisors end', timeoutMs: 10_000 });
}

test('SIGTERM ends the server with status 0 and leaves no database behind', async () => {
  await using server = await startServerProcess();
  const children = await listDescendants(server.process.pid);
  expect(children.length).toBeGreaterThan(0);
  expect(await server.halt()).toEqual({ code: 0, signal: null });
  await expectAllGone(children);
}, 60_000);

test('SIGTERM during the start ends it as well', async () => {
  await using folder = await makeTempDir('signals');
  for (const delay of ['first', 'second']) {
    const port = await freePort();
    await using server = new RunningProcess({
      name: 'server',
      command: process.execPath,
      args: [builtPath('apps/server/dist/main.js')],
      cwd: folder.path,
      env: { PORT: String(port), DATA_DIR: join(folder.path, 'data'), SSH_JUMP_PORT: '0', APP_ENV: 'test' },
    });
    // As soon as the database has been started: the first time it is still being made.
    const children = await poll(
      async () => {
        const pids = await listDescendants(server.pid);
        return pids.length > 0 && pids;
      },
      { what: `the ${delay} start has child processes`, intervalMs: 5 },
    );
    expect(await server.stop(30_000)).toEqual({ code: 0, signal: null });
    await expectAllGone(children);
  }
}, 90_000);

test('SIGINT twice ends it at once, and the database with it', async () => {
  await using server = await startServerProcess();
  const children = await listDescendants(server.process.pid);
  server.process.signal('SIGINT');
  server.process.signal('SIGINT');
  const { code } = await server.process.exited;
  expect([0, 1]).toContain(code);
  await expectAllGone(children);
}, 60_000);
