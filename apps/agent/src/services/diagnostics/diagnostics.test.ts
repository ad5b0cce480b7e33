import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { createGunzip, gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { expect, it, vi } from 'vitest';
import { createTempDir } from '../../testing/temp-dir.ts';
import { createDiagnostics } from './diagnostics.ts';
import type { Section } from './sections.ts';

const never = () => new AbortController().signal;
const shell = (file: string, script: string): Section => ({ file, program: 'sh', args: ['-c', script] });
const describeNothing = () => ({});
/** No such program is installed anywhere. */
const program = 'pult-no-such-collector';

async function unpack(archive: AsyncIterable<Uint8Array>): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const tar = extract();
  Readable.from(archive, { objectMode: false }).pipe(createGunzip()).pipe(tar);
  for await (const entry of tar) files[entry.header.name] = await text(entry);
  return files;
}

/** A program on the search path. */
function install(name: string, script: string): void {
  const folder = createTempDir();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
}

const leftFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('pult-diagnostics-'));

it('packs what each program says, what the agent says of itself, and a summary', async () => {
  const collect = createDiagnostics({
    program,
    describe: () => ({ 'agent/about.txt': 'version 1\nPULT_ENROLLMENT_KEY=hunter2\n' }),
    sections: [
      shell('one.txt', 'echo первая; echo password: hunter2 >&2'),
      shell('empty.txt', 'true'),
      { file: 'missing.txt', program: 'pult-no-such-program', args: ['-x'] },
    ],
  });
  const files = await unpack(await collect(never()));
  expect(Object.keys(files)).toEqual(['agent/about.txt', 'one.txt', 'summary.txt']);
  expect(files['one.txt']?.split('\n').sort()).toEqual(['', 'password: [hidden]', 'первая']);
  expect(files['agent/about.txt']).toBe('version 1\nPULT_ENROLLMENT_KEY=[hidden]\n');
  expect(files['summary.txt']).toMatch(/^one\.txt: sh -c .*: exit code 0, /m);
  expect(files['summary.txt']).toMatch(/^missing\.txt: pult-no-such-program -x: not run: ENOENT, /m);
});

it('gives programs none of the agent’s environment', async () => {
  vi.stubEnv('PULT_ENROLLMENT_KEY', 'hunter2');
  const sections = [shell('env.txt', 'env')];
  const files = await unpack(
    await createDiagnostics({ program, describe: describeNothing, sections })(never()),
  );
  expect(files['env.txt']).toContain('PATH=');
  expect(files['env.txt']).not.toMatch(/PULT|hunter2|HOME/);
});

it('ends a program that takes too long, with its children, and keeps the end of one that says too much', async () => {
  const mark = join(createTempDir(), 'still-there');
  const collect = createDiagnostics({
    program,
    describe: describeNothing,
    sectionTimeoutMs: 1500,
    sections: [
      shell('slow.txt', `echo begun; (sleep 4; touch ${mark}) & wait`),
      shell('endless.txt', 'yes "$(head -c 2000 /dev/zero | tr "\\0" x)"'),
      shell('long.txt', 'seq 1 600000'),
    ],
  });
  const files = await unpack(await collect(never()));
  expect(files['slow.txt']).toBe('begun\n');
  expect(files['summary.txt']).toMatch(/^slow\.txt: .* ended after 1\.5 s, /m);
  expect(files['summary.txt']).toMatch(/^endless\.txt: .* ended after 1\.5 s; only the end/m);
  expect(files['endless.txt']?.length).toBe(2 * 1024 * 1024);
  expect(files['long.txt']).toMatch(/\n600000\n$/);
  expect(files['long.txt']?.length).toBe(2 * 1024 * 1024);
  expect(existsSync(mark)).toBe(false);
});

it('one collection runs at a time, and the next may after its end, an abort, or a reader that never reads', async () => {
  const sections = [shell('slow.txt', 'sleep 60')];
  const collect = createDiagnostics({ program, describe: describeNothing, sections });
  const unread = new AbortController();
  await collect(unread.signal);
  await expect(collect(never())).rejects.toMatchObject({
    code: 'service_refused',
    reason: 'another collection is running',
  });
  unread.abort();
  const left = new AbortController();
  const reading = buffer(Readable.from(await collect(left.signal)));
  left.abort();
  await expect(reading).rejects.toThrow('broken off');
  const again = new AbortController();
  await expect(collect(again.signal)).resolves.toBeDefined();
  again.abort();
});

it('takes the archive of the board’s own collector as it is, and removes it', async () => {
  install(
    'wb-diag-collect',
    'printf "PK\\003\\004 as if" > "$1_A1B2C3D4_2026-01-01-10.00.00.zip"; echo done',
  );
  const before = leftFolders();
  const collect = createDiagnostics({ describe: describeNothing, sections: [] });
  const bytes = await buffer(Readable.from(await collect(never())));
  expect(bytes.toString('latin1')).toBe('PK\u0003\u0004 as if');
  expect(leftFolders()).toEqual(before);
});

it.each([
  ['fails', 'echo "OSError: no space"; exit 1', 'exit code 1\nOSError: no space\n'],
  ['makes nothing', 'echo nothing here', 'it made no archive\nnothing here\n'],
  ['makes a link to elsewhere', 'ln -s /etc/shadow x.zip', 'it made no archive\n'],
  ['makes too much', 'truncate -s 100000001 x.zip', 'its archive has 100000001 bytes\n'],
])('collects by itself where the board’s collector %s, and says so', async (_, script, words) => {
  install('wb-diag-collect', script);
  const before = leftFolders();
  const sections = [shell('one.txt', 'echo one')];
  const files = await unpack(await createDiagnostics({ describe: describeNothing, sections })(never()));
  expect(files).toMatchObject({ 'one.txt': 'one\n', 'board-collector.txt': `wb-diag-collect: ${words}` });
  expect(leftFolders()).toEqual(before);
});

it('collects something of this very machine', async () => {
  const collect = createDiagnostics({ program, describe: describeNothing });
  const archive = await buffer(Readable.from(await collect(never())));
  expect(gunzipSync(archive).length).toBeGreaterThan(1000);
  const files = await unpack(Readable.from([archive]));
  expect(files['system/uname.txt']).toBe(`${readUname()}\n`);
  expect(files['memory/meminfo.txt']).toContain('MemTotal');
});

function readUname(): string {
  const [release, version] = ['osrelease', 'version'].map((name) =>
    readFileSync(`/proc/sys/kernel/${name}`, 'utf8').trim(),
  );
  const host = readFileSync('/proc/sys/kernel/hostname', 'utf8').trim();
  return `Linux ${host} ${release} ${version} x86_64 GNU/Linux`;
}
