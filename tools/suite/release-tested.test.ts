import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir, runCommand } from '@pult/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../processes.mjs';
import { releaseParts } from './release-parts.ts';
import { digestOf, parseTested, readTested } from './release-tested.ts';

async function makeRepository() {
  const folder = await makeTempDir('digests');
  onTestFinished(() => folder.remove());
  const git = (...args: string[]) =>
    runCommand('git', ['-C', folder.path, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args]);
  const commit = async (file: string, text: string) => {
    await mkdir(join(folder.path, file, '..'), { recursive: true });
    await writeFile(join(folder.path, file), text);
    await git('add', '.');
    await git('commit', '--quiet', '--message', file);
  };
  await git('init', '--quiet');
  return { path: folder.path, commit };
}

test('the digest of a part changes with the committed content of its paths, and with nothing else', async () => {
  const { path, commit } = await makeRepository();
  await commit('deploy/unit', 'one');
  const first = await digestOf(['deploy'], path);
  await commit('apps/main.ts', 'other');
  expect(await digestOf(['deploy'], path)).toBe(first);
  await commit('deploy/unit', 'two');
  expect(await digestOf(['deploy'], path)).not.toBe(first);
});

test('the digest of a path that matches no file is refused', async () => {
  const { path, commit } = await makeRepository();
  await commit('deploy/unit', 'one');
  await expect(digestOf(['deploy', 'gone'], path)).rejects.toThrow('gone, which matches no file');
});

test('the list of tested parts is read line by line, without its comments', () => {
  expect(parseTested('# what it is\nnodes 12ab apps/a apps/b\n')).toEqual([
    { name: 'nodes', digest: '12ab', paths: ['apps/a', 'apps/b'] },
  ]);
});

test('each part of the release suite has paths that are there', async () => {
  const tested = readTested();
  expect(tested.map(({ name }) => name)).toEqual(releaseParts.map(({ name }) => name));
  for (const { paths } of tested) await digestOf(paths, root);
});
