import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FilesClient } from './files-client.ts';
import { startLightSite } from './light-server.ts';
import { claim, type Site } from './site.ts';
import { startTerminal, TerminalClient } from './terminal-client.ts';

let site: Site;

beforeAll(async () => {
  site = await startLightSite();
  await claim(site);
}, 120_000);
afterAll(() => site?.[Symbol.asyncDispose]());

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');

async function openShell(): Promise<{ terminal: TerminalClient; resumeToken: string }> {
  const terminal = await startTerminal(site);
  const message = await terminal.nextMessage();
  if (message.type !== 'ready') throw new Error(`not ready: ${JSON.stringify(message)}`);
  return { terminal, resumeToken: message.resumeToken };
}

async function resume(resumeToken: string, received: number): Promise<TerminalClient> {
  const terminal = await TerminalClient.open(site);
  terminal.send({ type: 'resume', resumeToken, received, columns: 80, rows: 24 });
  terminal.received = received;
  return terminal;
}

/** Resident memory of the server in MB. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${site.server.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test('output is whole though its connection is destroyed in the middle of it again and again', async () => {
  // Base64 in lines that the terminal does not change: no tab, no escape, one line feed becomes two bytes.
  const content = randomBytes(1024 * 1024)
    .toString('base64')
    .replace(/.{76}/g, '$&\n');
  const file = join(site.ssh.folder, 'content');
  await writeFile(file, content);
  const { terminal, resumeToken } = await openShell();
  terminal.type(`stty -echo -onlcr; printf 'be''gin\\n'; cat ${file}; printf 'fin''ished\\n'\r`);
  const pieces: string[] = [];
  let bytes = 0;
  let tail = '';
  let current = terminal;
  let losses = 0;
  while (!tail.includes('finished')) {
    current.isAcking = false; // by what is taken here, not by what has arrived
    const piece = await current.nextOutput();
    pieces.push(piece);
    tail = tail.slice(-20) + piece;
    bytes += Buffer.byteLength(piece);
    current.send({ type: 'ackOutput', position: bytes });
    if (bytes < (losses + 1) * 200_000) continue;
    losses += 1;
    current.terminate();
    current = await resume(resumeToken, bytes);
  }
  const shown = pieces.join('');
  current.close();
  expect(losses).toBeGreaterThan(5);
  const body = shown.slice(shown.indexOf('begin\n') + 'begin\n'.length, shown.indexOf('finished'));
  expect(sha256(Buffer.from(body))).toBe(sha256(Buffer.from(content)));
});

test('a flood that nobody draws grows no memory, and Ctrl+C ends it', async () => {
  const { terminal } = await openShell();
  terminal.isAcking = false;
  const before = await memory();
  terminal.type('yes "$(head -c 400 /dev/zero | tr "\\0" x)"\r');
  await expect.poll(() => terminal.received, { timeout: 10_000 }).toBeGreaterThan(400_000);
  let seen = -1;
  const isSettled = () => {
    const settled = seen === terminal.received;
    seen = terminal.received;
    return settled;
  };
  await expect.poll(isSettled, { interval: 300, timeout: 10_000 }).toBe(true);
  expect(terminal.received).toBeLessThan(1024 * 1024);
  expect((await memory()) - before).toBeLessThan(40);
  terminal.isAcking = true;
  terminal.ackOutput();
  terminal.type('\x03');
  terminal.type('echo sto""pped\r');
  await terminal.waitForOutput(/stopped/);
  terminal.close();
});

test('a file of 64 MB goes there and back, and none of it stays in the server', async () => {
  const { terminal, resumeToken } = await openShell();
  const content = randomBytes(64 * 1024 * 1024);
  const files = await FilesClient.open(site, resumeToken);
  const before = await memory();
  await files.upload(site.ssh.folder, 'large.bin', content);
  expect(sha256(await readFile(join(site.ssh.folder, 'large.bin')))).toBe(sha256(content));
  const downloaded = await files.download(join(site.ssh.folder, 'large.bin'));
  expect(sha256(downloaded)).toBe(sha256(content));
  expect((await memory()) - before).toBeLessThan(60);
  terminal.close();
});
