import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kernelBuffers, type SshServer, startSshServer } from '@pult/testkit';
import type { TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTerminalFixture, type Terminal, type TerminalFixture } from '../ssh/terminal.fixture.ts';
import { FilePanel } from './files.fixture.ts';

/** Over OpenSSH's own SFTP server. */

let t: TerminalFixture;
let sshd: SshServer;
let terminal: Terminal;
let panel: FilePanel;
let folder: string;
let count = 0;

beforeAll(async () => {
  t = await createTerminalFixture();
  sshd = await startSshServer();
  t.endpoints.ssh = sshd.port;
});
afterAll(async () => {
  await t.close();
  await sshd.stop();
});

const login = () => ({
  username: sshd.user,
  credential: { method: 'private_key', privateKey: sshd.clientKey.privateKey },
});

function openPanel(as: TestUser = t.fixture.owner): Promise<FilePanel> {
  const { publicUrl, port } = t.fixture.server;
  const headers = { host: new URL(publicUrl).host, cookie: as.cookie, origin: publicUrl };
  return FilePanel.open(`http://127.0.0.1:${port}`, headers);
}

beforeEach(async () => {
  count += 1;
  folder = join(sshd.folder, `files-${count}`);
  await mkdir(folder);
  terminal = await t.open(login());
  panel = await openPanel();
  expect(await panel.attach(terminal.resumeToken)).toEqual({ type: 'attached' });
});

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');

/** What the browser does with a link to save. */
function fetchFile(transferId: string, as: TestUser = t.fixture.owner): Promise<Response> {
  const { publicUrl, port } = t.fixture.server;
  const path = `/api/v1/controllers/${t.device.serialNumber}/files/${transferId}/`;
  return fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { host: new URL(publicUrl).host, cookie: as.cookie, 'accept-language': 'en' },
  });
}

async function offer(path: string) {
  const offered = await panel.download(path);
  if (offered.type !== 'download') throw new Error(`not offered: ${JSON.stringify(offered)}`);
  return offered;
}

const recorded = async () => {
  const rows = await t.fixture.server.db
    .selectFrom('audit_events')
    .select(['action', 'details', 'user_id', 'subject'])
    .where('action', 'in', ['file.uploaded', 'file.downloaded'])
    .orderBy('id')
    .execute();
  return rows.filter(({ details }) => JSON.stringify(details).includes(folder));
};

describe('a folder', () => {
  it('a folder is listed, folders first, with what a person wants to know of each entry', async () => {
    await writeFile(join(folder, 'b.txt'), '12345');
    await mkdir(join(folder, 'z'));
    await symlink('b.txt', join(folder, 'a link'));
    const modified = Math.floor((await stat(join(folder, 'b.txt'))).mtimeMs / 1000);
    expect(await panel.list(`${folder}/./z/..`)).toEqual({
      type: 'listing',
      request: 1,
      path: folder,
      isCut: false,
      entries: [
        expect.objectContaining({ name: 'z', kind: 'folder' }),
        expect.objectContaining({ name: 'a link', kind: 'link' }),
        { name: 'b.txt', kind: 'file', size: 5, modified },
      ],
    });
    expect(await panel.list('')).toMatchObject({ type: 'listing', path: expect.stringMatching(/^\//) });
  });

  it('a folder and its files are opened by their bytes where their names are no UTF-8', async () => {
    const inside = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xcf, 0xe0, 0xef, 0xea, 0xe0])]);
    await mkdir(inside);
    await writeFile(Buffer.concat([inside, Buffer.from([0x2f, 0xee])]), 'one');
    await writeFile(Buffer.concat([inside, Buffer.from([0x2f, 0xef])]), 'other');
    const [name, path] = ['\uf7cf\uf7e0\uf7ef\uf7ea\uf7e0', `${folder}/\uf7cf\uf7e0\uf7ef\uf7ea\uf7e0`];
    expect(await panel.list(folder)).toMatchObject({ entries: [{ name, kind: 'folder' }] });
    const listed = await panel.list(path);
    expect(listed).toMatchObject({ path, entries: [{ name: '\uf7ee' }, { name: '\uf7ef' }] });
    const offered = await offer(`${path}/\uf7ef`);
    expect(offered.name).toBe('%EF');
    expect(await (await fetchFile(offered.transferId)).text()).toBe('other');
    await panel.next();
    expect(await panel.upload(path, 'new', Buffer.from('new'), 'replace')).toMatchObject({ type: 'done' });
    expect(await readFile(Buffer.concat([inside, Buffer.from('/new')]), 'utf8')).toBe('new');
  });

  it('a folder that is none, or is not there, is told', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(await panel.list(join(folder, 'file'))).toMatchObject({ type: 'refused', code: 'not_a_folder' });
    expect(await panel.list(join(folder, 'nothing'))).toMatchObject({ type: 'refused', code: 'not_found' });
  });
});

describe('a download', () => {
  it('brings every byte, under the name it has, and is recorded', async () => {
    const content = randomBytes(20 * 1024 * 1024 + 7);
    await writeFile(join(folder, 'отчёт "1".bin'), content);
    const offered = await offer(join(folder, 'отчёт "1".bin'));
    expect(offered).toMatchObject({ name: 'отчёт "1".bin', size: content.length });
    const answer = await fetchFile(offered.transferId);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(content.length));
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="_____ _1_.bin"; filename*=UTF-8''${encodeURIComponent('отчёт "1".bin')}`,
    );
    expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(content));
    const { request } = offered;
    expect(await panel.next()).toEqual({ type: 'done', request, bytes: content.length });
    await expect.poll(recorded).toMatchObject([
      {
        action: 'file.downloaded',
        user_id: t.fixture.owner.id,
        subject: t.device.serialNumber,
        details: { path: join(folder, 'отчёт "1".bin'), bytes: content.length, outcome: 'done' },
      },
    ]);
  });

  it('a download is for the session that asked for it, once', async () => {
    await writeFile(join(folder, 'file'), 'secret');
    const { transferId } = await offer(join(folder, 'file'));
    const colleague = await t.fixture.addUser('admin');
    const viewer = await t.fixture.addUser('viewer');
    const stranger = await t.fixture.server.createUser();
    expect((await fetchFile(transferId, colleague)).status).toBe(404);
    expect((await fetchFile(transferId, viewer)).status).toBe(403);
    expect((await fetchFile(transferId, stranger)).status).toBe(404);
    expect(await (await fetchFile(transferId)).text()).toBe('secret');
    const again = await fetchFile(transferId);
    expect(again.status).toBe(404);
    expect(await again.json()).toMatchObject({ code: 'file_transfer_not_found' });
  });

  it('brings an empty file, and one whose size the device does not know', async () => {
    await writeFile(join(folder, 'empty'), '');
    const empty = await fetchFile((await offer(join(folder, 'empty'))).transferId);
    expect(await empty.text()).toBe('');
    expect(await panel.next()).toMatchObject({ type: 'done', bytes: 0 });
    const offered = await offer('/proc/self/status');
    expect(offered.size).toBeNull();
    expect(await (await fetchFile(offered.transferId)).text()).toContain('Pid:');
  });

  it('a download does not read ahead of a slow browser', async () => {
    const ownBuffers = 8 * 1024 * 1024;
    await writeFile(join(folder, 'large'), '');
    await truncate(join(folder, 'large'), kernelBuffers + 4 * ownBuffers);
    const answer = await fetchFile((await offer(join(folder, 'large'))).transferId);
    const reader = answer.body?.getReader();
    await reader?.read();
    let seen = -1;
    let bytes = 0;
    panel.socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      if (message.type === 'progress') bytes = message.bytes;
    });
    const isSettled = () => {
      const settled = seen === bytes;
      seen = bytes;
      return settled;
    };
    await expect.poll(isSettled, { interval: 300, timeout: 20_000 }).toBe(true);
    expect(bytes).toBeLessThan(kernelBuffers + ownBuffers);
    await reader?.cancel();
    expect(await panel.next()).toMatchObject({ type: 'refused', code: 'cancelled' });
    await expect.poll(recorded).toMatchObject([{ details: { outcome: 'cancelled' } }]);
  });

  it('a download is cancelled by the page', async () => {
    await writeFile(join(folder, 'large'), Buffer.alloc(64 * 1024 * 1024));
    const { transferId, request } = await offer(join(folder, 'large'));
    const answer = await fetchFile(transferId);
    panel.send({ type: 'cancel', request });
    expect(await panel.next()).toEqual({ type: 'refused', request, code: 'cancelled' });
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  it('a download for which the login has no channel left is refused, and takes no place', async () => {
    await writeFile(join(folder, 'file'), 'content');
    // Of the ten channels that sshd grants, the shell and this panel have two.
    const others: FilePanel[] = [];
    for (let other = 0; other < 8; other += 1) {
      const opened = await openPanel();
      expect(await opened.attach(terminal.resumeToken)).toEqual({ type: 'attached' });
      others.push(opened);
    }
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const { transferId, request } = await offer(join(folder, 'file'));
      expect((await fetchFile(transferId)).status).toBe(503);
      expect(await panel.next()).toEqual({ type: 'refused', request, code: 'sftp_unavailable' });
    }
    for (const other of others) other.socket.close();
    await expect
      .poll(async () => {
        const answer = await fetchFile((await offer(join(folder, 'file'))).transferId);
        const body = answer.ok ? await answer.text() : '';
        await panel.next();
        return body;
      })
      .toBe('content');
  });

  it('a download is one of three, however many are asked for at once', async () => {
    await writeFile(join(folder, 'file'), 'content');
    const answers = [];
    for (let sent = 0; sent < 10; sent += 1) {
      panel.send({ type: 'download', request: panel.nextRequest(), path: join(folder, 'file') });
    }
    for (let sent = 0; sent < 10; sent += 1) answers.push(await panel.next());
    expect(answers.filter(({ type }) => type === 'download')).toHaveLength(3);
    expect(answers.filter((answer) => 'code' in answer && answer.code === 'busy')).toHaveLength(7);
  });

  it('a download of a folder, or of nothing, is refused', async () => {
    expect(await panel.download(folder)).toMatchObject({ type: 'refused', code: 'not_a_file' });
    expect(await panel.download(`${folder}/none`)).toMatchObject({ type: 'refused', code: 'not_found' });
  });
});

describe('an upload', () => {
  it('brings every byte, unseen under its name until it is whole, and is recorded', async () => {
    const content = randomBytes(20 * 1024 * 1024 + 7);
    expect(await panel.upload(folder, 'new.bin', content)).toMatchObject({
      type: 'done',
      bytes: content.length,
    });
    expect(sha256(await readFile(join(folder, 'new.bin')))).toBe(sha256(content));
    expect(await readdir(folder)).toEqual(['new.bin']);
    await expect.poll(recorded).toMatchObject([
      {
        action: 'file.uploaded',
        details: { path: join(folder, 'new.bin'), bytes: content.length, outcome: 'done' },
      },
    ]);
  });

  it('asks before it takes a name that is taken, and then does as told', async () => {
    const taken = join(folder, 'a.txt');
    await writeFile(taken, 'old');
    await chmod(taken, 0o640);
    const send = (text: string, collision: 'ask' | 'replace' | 'keep_both') =>
      panel.upload(folder, 'a.txt', Buffer.from(text), collision);
    expect(await send('new', 'ask')).toMatchObject({ type: 'refused', code: 'exists' });
    expect(await readFile(taken, 'utf8')).toBe('old');
    expect(await send('both', 'keep_both')).toMatchObject({ type: 'done' });
    expect(await readFile(join(folder, 'a (2).txt'), 'utf8')).toBe('both');
    expect(await send('replaced', 'replace')).toMatchObject({ type: 'done' });
    expect(await readFile(taken, 'utf8')).toBe('replaced');
    expect((await stat(taken)).mode & 0o777).toBe(0o640);
    expect((await readdir(folder)).sort()).toEqual(['a (2).txt', 'a.txt']);
  });

  it('changes the mode of no other file, whatever becomes of its part meanwhile', async () => {
    const [taken, foreign] = [join(folder, 'a.txt'), join(folder, 'foreign')];
    for (const path of [taken, foreign]) await writeFile(path, 'old');
    await chmod(taken, 0o4666);
    await chmod(foreign, 0o600);
    const request = panel.nextRequest();
    panel.send({ type: 'upload', request, folder, name: 'a.txt', size: 3, collision: 'replace' });
    expect(await panel.next()).toMatchObject({ type: 'upload' });
    const part = (await readdir(folder)).find((name) => name.endsWith('.part')) ?? '';
    expect((await stat(join(folder, part))).mode & 0o7000).toBe(0);
    // What somebody does to whom the folder belongs, too.
    await rm(join(folder, part));
    await symlink(foreign, join(folder, part));
    panel.socket.send(Buffer.from('new'));
    panel.send({ type: 'sent', request });
    expect(await panel.next()).toMatchObject({ type: 'done' });
    expect((await stat(foreign)).mode & 0o777).toBe(0o600);
  });

  it('an upload that is cancelled leaves nothing behind, and what it would have replaced', async () => {
    await writeFile(join(folder, 'kept'), 'kept');
    const request = panel.nextRequest();
    panel.send({ type: 'upload', request, folder, name: 'kept', size: 1_000, collision: 'replace' });
    expect(await panel.next()).toMatchObject({ type: 'upload' });
    panel.socket.send(Buffer.alloc(500));
    panel.send({ type: 'cancel', request });
    expect(await panel.next()).toMatchObject({ type: 'refused', code: 'cancelled' });
    expect(await readdir(folder)).toEqual(['kept']);
    expect(await readFile(join(folder, 'kept'), 'utf8')).toBe('kept');
  });

  it('an upload whose page goes away leaves nothing behind', async () => {
    panel.send({ type: 'upload', request: 1, folder, name: 'half', size: 1_000, collision: 'ask' });
    expect(await panel.next()).toMatchObject({ type: 'upload' });
    panel.socket.send(Buffer.alloc(500));
    panel.socket.terminate();
    await expect.poll(() => readdir(folder)).toEqual([]);
    await expect.poll(recorded).toMatchObject([{ details: { outcome: 'cancelled' } }]);
  });

  it('an upload of fewer or more bytes than it said is no file', async () => {
    for (const bytes of [10, 2_000]) {
      const request = panel.nextRequest();
      panel.send({ type: 'upload', request, folder, name: 'odd', size: 1_000, collision: 'ask' });
      expect(await panel.next()).toMatchObject({ type: 'upload' });
      panel.socket.send(Buffer.alloc(bytes));
      panel.send({ type: 'sent', request });
      expect(await panel.next()).toMatchObject({ type: 'refused', request, code: 'failed' });
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('an upload for which there is no space, or no folder, is refused before it begins', async () => {
    const upload = (to: string, size: number) => {
      const request = panel.nextRequest();
      panel.send({ type: 'upload', request, folder: to, name: 'file', size, collision: 'ask' });
      return panel.next();
    };
    expect(await upload(folder, 2 ** 50)).toMatchObject({ type: 'refused', code: 'no_space' });
    expect(await upload(`${folder}/none`, 5)).toMatchObject({ type: 'refused', code: 'not_found' });
    expect(await upload('/proc', 5)).toMatchObject({ type: 'refused' });
  });

  it.each(['..', '.'])('named %s goes nowhere', async (name) => {
    expect(await panel.upload(folder, name, Buffer.from('x'))).toMatchObject({ code: 'name_invalid' });
  });

  it('an upload is one at a time', async () => {
    panel.send({ type: 'upload', request: 1, folder, name: 'one', size: 10, collision: 'ask' });
    panel.send({ type: 'upload', request: 2, folder, name: 'two', size: 10, collision: 'ask' });
    expect(await panel.next()).toMatchObject({ type: 'refused', request: 2, code: 'busy' });
    expect(await panel.next()).toMatchObject({ type: 'upload', request: 1 });
  });
});

describe('a file panel', () => {
  it('opens for the login session of the terminal alone', async () => {
    const colleague = await t.fixture.addUser('admin');
    for (const [as, token] of [
      [colleague, terminal.resumeToken],
      [t.fixture.owner, 'guess'],
    ] as const) {
      const foreign = await openPanel(as);
      expect(await foreign.attach(token)).toEqual({ type: 'failed', code: 'session_gone' });
      await foreign.messages.closed;
    }
  });

  it('ends with the terminal, and with the access', async () => {
    terminal.send({ type: 'end' });
    expect(await panel.next()).toEqual({ type: 'failed', code: 'session_gone' });
    const user = await t.fixture.addUser('member');
    const other = await t.open(login(), user);
    const theirs = await openPanel(user);
    await theirs.attach(other.resumeToken);
    await t.fixture.server.call('logout', { as: user });
    expect(await theirs.next()).toEqual({ type: 'failed', code: 'session_gone' });
    await theirs.messages.closed;
  });

  it('refuses what is no message, and work before it is attached', async () => {
    for (const text of ['hello', 'null', '{"type":"list","request":1,"path":"/"}', '{"type":"rm"}']) {
      const foreign = await openPanel();
      foreign.socket.send(text);
      expect(await foreign.next()).toEqual({ type: 'failed', code: 'failed' });
      await foreign.messages.closed;
    }
  });

  it('a file panel is told when the device has no SFTP', async () => {
    const before = t.device;
    await t.reset();
    const plain = await t.open();
    const other = await openPanel();
    expect(await other.attach(plain.resumeToken)).toEqual({ type: 'failed', code: 'sftp_unavailable' });
    t.endpoints.ssh = sshd.port;
    t.device = before;
  });
});
