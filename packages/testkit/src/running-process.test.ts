import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { poll } from './poll.ts';
import { repositoryPath } from './repository.ts';
import { RunningProcess } from './running-process.ts';

const shell = (script: string) =>
  new RunningProcess({ name: 'shell', command: '/bin/sh', args: ['-c', script] });

test('finds a line that is already written and one that is still to come', async () => {
  await using process = shell('echo "port 80"; exec sleep 600');
  expect((await process.waitForLine(/port (\d+)/))[1]).toBe('80');
  expect((await process.waitForLine(/port (\d+)/))[1]).toBe('80');
  await expect(process.waitForLine(/port/, { since: process.nextLine, timeoutMs: 20 })).rejects.toThrow(
    /20 ms passed.*port 80/s,
  );
});

test('a process that ends ends the waiting, with its output in the message', async () => {
  const process = shell('echo "no database" >&2; exit 3');
  await expect(process.waitForLine(/ready/)).rejects.toThrow(/it ended \(3\).*no database/s);
  expect(await process.stop()).toEqual({ code: 3, signal: null });
});

test('a process that ignores SIGTERM is killed and reported', async () => {
  const process = shell('trap "" TERM; echo ready; while :; do sleep 0.05; done');
  await process.waitForLine(/ready/);
  await expect(process.stop(100)).rejects.toThrow(/did not stop/);
  expect(process.isRunning).toBe(false);
});

test('a program that does not exist is an error, not a crash', async () => {
  const process = new RunningProcess({ name: 'ghost', command: '/does/not/exist', args: [] });
  await expect(process.waitForLine(/ready/)).rejects.toThrow(/ENOENT/);
});

test('processes and folders of a killed test run are cleaned up', async () => {
  const url = (file: string) => JSON.stringify(repositoryPath(`packages/testkit/src/${file}`));
  const script = `
    import { RunningProcess } from ${url('running-process.ts')};
    import { makeTempDir } from ${url('temp-dir.ts')};
    const child = new RunningProcess({ name: 'child', command: '/bin/sleep', args: ['600'] });
    console.log(child.pid + ' ' + (await makeTempDir('reaped')).path);
    setInterval(() => {}, 1000);`;
  const run = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: repositoryPath('.'),
  });
  const [line] = (await once(createInterface({ input: run.stdout }), 'line')) as [string];
  const [pid, folder = ''] = line.split(' ');
  expect(existsSync(folder)).toBe(true);
  run.kill('SIGKILL');
  await poll(() => !existsSync(folder) && !existsSync(`/proc/${pid}`), { what: 'the run is cleaned up' });
});
