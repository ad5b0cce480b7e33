import type { FileEntry } from '@pult/contract';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { organization } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const tunnel = {
  id: organization.id,
  protocol: 'ssh',
  createdAt: '2025-11-20T10:00:00Z',
  expiresAt: '2025-11-20T22:00:00Z',
};

beforeEach(() => {
  FakeSocket.sockets = [];
});

const allWords = {
  en: {
    password: 'Password',
    connect: 'Connect',
    files: 'Files',
    title: 'Files of the controller',
    path: 'Path',
  },
  ru: {
    password: 'Пароль',
    connect: 'Подключиться',
    files: 'Файлы',
    title: 'Файлы контроллера',
    path: 'Путь',
  },
};

/** The panel beside a running shell; the device has been asked for its home folder and has not answered yet. */
async function openFiles(locale: 'ru' | 'en' = 'en') {
  renderConsole('/connect/ssh/A1B2C3D4/', {
    locale,
    answers: { openTunnel: () => ({ tunnel, tunnelRedirectUrl: '', tunnelKey: 'single-use' }) },
  });
  vi.stubGlobal('WebSocket', FakeSocket);
  const words = allWords[locale];
  fireEvent.change(await screen.findByLabelText(words.password), { target: { value: 'secret' } });
  fireEvent.click(screen.getByRole('button', { name: words.connect }));
  await waitFor(() => expect(FakeSocket.last.texts).toHaveLength(1));
  const terminal = FakeSocket.last;
  terminal.say({
    type: 'ready',
    hostKeyFingerprint: 'SHA256:abc',
    hostKeyIsNew: false,
    resumeToken: 'token',
  });
  fireEvent.click(await screen.findByRole('button', { name: words.files }));
  const panel = within(await screen.findByRole('complementary', { name: words.title }));
  const socket = FakeSocket.last;
  socket.say({ type: 'attached' });
  await waitFor(() => expect(asked(socket)).toEqual(['']));
  return {
    panel,
    socket,
    terminal,
    field: panel.getByRole<HTMLInputElement>('textbox', { name: words.path }),
  };
}

/** The paths of all listings that were asked for. */
const asked = ({ texts }: FakeSocket) => texts.filter(({ type }) => type === 'list').map(({ path }) => path);

/** Answers the `request`th question. */
function list(socket: FakeSocket, request: number, path: string, names: readonly string[] = []): void {
  const entries = names.map((name): FileEntry => ({ name, kind: 'file', size: 5, modified: 1_763_000_000 }));
  socket.say({ type: 'listing', request, path, entries, isCut: false });
}

async function submit(field: HTMLInputElement, path: string, socket: FakeSocket): Promise<void> {
  fireEvent.focus(field);
  fireEvent.change(field, { target: { value: path } });
  const before = asked(socket).length;
  if (field.form) fireEvent.submit(field.form);
  await waitFor(() => expect(asked(socket)).toHaveLength(before + 1));
}

describe('the path', () => {
  it('stays as it is while somebody is in the field, whatever comes', async () => {
    const { panel, socket, field } = await openFiles();
    fireEvent.focus(field);
    list(socket, 1, '/root', ['notes.txt']);
    expect(await panel.findByText('notes.txt')).toBeTruthy();
    expect(field.value).toBe('');
    fireEvent.blur(field);
    expect(field.value).toBe('/root');
  });

  it('the path of a folder that is not there stays to be put right, and the folder shown before, too', async () => {
    const { panel, socket, field } = await openFiles();
    list(socket, 1, '/root', ['notes.txt']);
    await waitFor(() => expect(field.value).toBe('/root'));
    await submit(field, '/etc/pmup', socket);
    socket.say({ type: 'refused', request: 2, code: 'not_found' });
    expect((await panel.findByRole('alert')).textContent).toBe('There is no such file or folder.');
    expect(field.value).toBe('/etc/pmup');
    expect(panel.getByRole('button', { name: 'Download notes.txt' })).toBeTruthy();
    await submit(field, '/etc/./pump', socket);
    list(socket, 3, '/etc/pump');
    expect(await panel.findByText('The folder is empty')).toBeTruthy();
    await waitFor(() => expect(field.value).toBe('/etc/pump'));
    expect(panel.queryByRole('alert')).toBeNull();
    expect(asked(socket)).toEqual(['', '/etc/pmup', '/etc/./pump']);
  });

  it('the path is of the folder that was asked for last, and its answer alone is shown', async () => {
    const { panel, socket, field } = await openFiles();
    await submit(field, '/var', socket);
    list(socket, 2, '/var', ['of var']);
    expect(await panel.findByText('of var')).toBeTruthy();
    socket.say({ type: 'refused', request: 1, code: 'permission_denied' });
    await act(async () => {});
    expect(panel.queryByRole('alert')).toBeNull();
    expect(field.value).toBe('/var');
  });

  it('the path that leads nowhere leaves the home folder, however late that comes', async () => {
    const { panel, socket, field } = await openFiles();
    await submit(field, '/none', socket);
    socket.say({ type: 'refused', request: 2, code: 'not_found' });
    await panel.findByRole('alert');
    list(socket, 1, '/root', ['notes.txt']);
    expect(await panel.findByText('notes.txt')).toBeTruthy();
    expect(panel.getByRole('alert')).toBeTruthy();
    expect(field.value).toBe('/none');
  });

  it('the path that was typed in vain gives way to a folder that is opened', async () => {
    const { panel, socket, field } = await openFiles();
    list(socket, 1, '/root');
    await waitFor(() => expect(field.value).toBe('/root'));
    await submit(field, '/none', socket);
    socket.say({ type: 'refused', request: 2, code: 'not_found' });
    await panel.findByRole('alert');
    fireEvent.click(panel.getByRole('button', { name: 'Up one level' }));
    await waitFor(() => expect(asked(socket).at(-1)).toBe('/root/..'));
    list(socket, 3, '/');
    await waitFor(() => expect(field.value).toBe('/'));
  });
});

/** Chooses an empty file; returns the number of the request that it becomes. */
async function pick(socket: FakeSocket): Promise<number> {
  const before = socket.texts.length;
  const input = document.querySelector<HTMLInputElement>('input[type=file][multiple]');
  if (!input) throw new Error('no files can be chosen');
  fireEvent.change(input, { target: { files: [new File([], 'empty.txt')] } });
  await waitFor(() => expect(socket.texts).toHaveLength(before + 1));
  expect(socket.texts.at(-1)).toMatchObject({ type: 'upload', folder: '/root', name: 'empty.txt' });
  return Number(socket.texts.at(-1)?.request);
}

describe('an upload', () => {
  it('an upload that is cancelled before the device has begun is cancelled, and the next one goes on', async () => {
    const { panel, socket, field } = await openFiles();
    list(socket, 1, '/root');
    await waitFor(() => expect(field.value).toBe('/root'));
    const request = await pick(socket);
    fireEvent.click(panel.getByRole('button', { name: 'Cancel empty.txt' }));
    socket.say({ type: 'upload', request, name: 'empty.txt' });
    await waitFor(() => expect(socket.texts.at(-1)).toEqual({ type: 'cancel', request }));
    socket.say({ type: 'refused', request, code: 'cancelled' });
    expect(await panel.findByText('Cancelled')).toBeTruthy();
    await waitFor(() => expect(asked(socket)).toEqual(['', '/root']));
    expect(await pick(socket)).toBeGreaterThan(request);
  });

  it('shows the folder again, but calls nobody back to it', async () => {
    const { panel, socket, field } = await openFiles();
    list(socket, 1, '/root');
    await waitFor(() => expect(field.value).toBe('/root'));
    const end = async (request: number) => {
      socket.say({ type: 'upload', request, name: 'empty.txt' });
      await waitFor(() => expect(socket.texts.at(-1)).toEqual({ type: 'sent', request }));
      socket.say({ type: 'done', request, bytes: 0 });
    };
    await end(await pick(socket));
    await waitFor(() => expect(asked(socket)).toEqual(['', '/root']));
    list(socket, 3, '/root', ['empty.txt']);
    expect(await panel.findByRole('button', { name: 'Download empty.txt' })).toBeTruthy();

    const second = await pick(socket);
    await submit(field, '/var', socket);
    list(socket, 5, '/var');
    await waitFor(() => expect(field.value).toBe('/var'));
    await end(second);
    await waitFor(() => expect(panel.getAllByText('Done')).toHaveLength(2));
    expect(asked(socket)).toEqual(['', '/root', '/var']);
  });
});

it('a name that is no UTF-8 is marked, and opens by its bytes', async () => {
  const { panel, socket } = await openFiles();
  list(socket, 1, '/root', ['\uf7ee\uf7f2.txt', 'plain.txt']);
  const row = await panel.findByRole('button', { name: 'Download %EE%F2.txt' });
  expect(within(row).getByText('not UTF-8')).toBeTruthy();
  expect(panel.getAllByText('not UTF-8')).toHaveLength(1);
  fireEvent.click(row);
  await waitFor(() =>
    expect(socket.texts.at(-1)).toMatchObject({ type: 'download', path: '/root/\uf7ee\uf7f2.txt' }),
  );
});

it('a name cannot pass for another', async () => {
  const { panel, socket } = await openFiles();
  list(socket, 1, '/root', ['photo\u202Egpj.exe', 'two\nlines']);
  expect(await panel.findByRole('button', { name: 'Download photo\uFFFDgpj.exe' })).toBeTruthy();
  fireEvent.click(panel.getByRole('button', { name: 'Download two\uFFFDlines' }));
  await waitFor(() =>
    expect(socket.texts.at(-1)).toMatchObject({ type: 'download', path: '/root/two\nlines' }),
  );
});

describe('a controller that is waited for', () => {
  it.each([
    ['en', 'Waiting for the controller…'],
    ['ru', 'Ждём контроллер…'],
  ] as const)(
    'a controller that is waited for is told in %s beside its files, too',
    async (locale, words) => {
      const { panel, socket, terminal } = await openFiles(locale);
      list(socket, 1, '/root', ['notes.txt']);
      expect(await panel.findByText('notes.txt')).toBeTruthy();
      terminal.say({ type: 'controllerLost', remainingMs: 118_000 });
      expect((await panel.findByRole('status')).textContent).toBe(words);
      // What was there stays to be looked at.
      expect(panel.getByText('notes.txt')).toBeTruthy();
      terminal.say({ type: 'controllerBack' });
      await waitFor(() => expect(panel.queryByText(words)).toBeNull());
    },
  );
});
