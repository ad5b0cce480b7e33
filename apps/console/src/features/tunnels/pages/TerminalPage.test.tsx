import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answers, asRole, makeController, organization, refuse } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const tunnel = {
  id: organization.id,
  protocol: 'ssh',
  createdAt: '2025-11-20T10:00:00Z',
  expiresAt: '2025-11-20T22:00:00Z',
};
const opened = { tunnel, tunnelRedirectUrl: '', tunnelKey: 'single-use' };
const ready = {
  type: 'ready',
  hostKeyFingerprint: 'SHA256:abc',
  hostKeyIsNew: false,
  resumeToken: 'token',
} as const;

beforeEach(() => {
  FakeSocket.sockets = [];
});

function openPage(answers: Answers = {}, locale: 'ru' | 'en' = 'en') {
  const view = renderConsole('/connect/ssh/A1B2C3D4/', {
    locale,
    answers: { openTunnel: () => opened, ...answers },
  });
  vi.stubGlobal('WebSocket', FakeSocket);
  return view;
}

async function logIn(password = 'secret') {
  fireEvent.change(await screen.findByLabelText('Password'), { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
  await waitFor(() => expect(FakeSocket.last.texts).toHaveLength(1));
  return FakeSocket.last;
}

async function openShell() {
  const socket = await logIn();
  socket.say(ready);
  await screen.findAllByRole('button', { name: 'Disconnect' });
  return socket;
}

describe('/connect/ssh', () => {
  it('starts a shell with the tunnel’s key and the login', async () => {
    openPage();
    const socket = await logIn();
    expect(socket.address).toMatch(/^ws.*\/api\/v1\/ssh-terminal\/$/);
    expect(socket.texts[0]).toMatchObject({
      type: 'start',
      tunnelKey: 'single-use',
      username: 'root',
      credential: { method: 'password', password: 'secret' },
    });
    socket.say(ready);
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('A1B2C3D4 terminal'));
    expect(document.title).toContain('A1B2C3D4');
  });

  it('remembers the user of this controller and nothing secret', async () => {
    openPage();
    fireEvent.change(await screen.findByRole('textbox', { name: 'User' }), { target: { value: 'operator' } });
    await openShell();
    expect(localStorage.getItem('terminal.username.A1B2C3D4')).toBe('operator');
    const stored = JSON.stringify({ ...localStorage, ...sessionStorage });
    expect(stored).not.toContain('secret');
    expect(stored).not.toContain('single-use');
  });

  it('logs in by a private key and its passphrase', async () => {
    openPage();
    fireEvent.click(await screen.findByRole('radio', { name: 'By key' }));
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    expect(await screen.findByText('Paste a key or choose a file')).toBeTruthy();
    fireEvent.change(screen.getByRole('textbox', { name: /Private key/ }), { target: { value: ' KEY \n' } });
    fireEvent.change(screen.getByLabelText('Passphrase'), { target: { value: 'words' } });
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    await waitFor(() =>
      expect(FakeSocket.last.texts[0]?.credential).toEqual({
        method: 'private_key',
        privateKey: 'KEY\n',
        passphrase: 'words',
      }),
    );
  });

  it('shows the host key that was saved at the first login', async () => {
    openPage();
    const socket = await logIn();
    socket.say({ ...ready, hostKeyIsNew: true });
    expect(await screen.findByText('SHA256:abc')).toBeTruthy();
    expect(screen.getByText(/host key saved/)).toBeTruthy();
  });

  it('asks what the device asks and sends the answers in order', async () => {
    openPage();
    const socket = await logIn();
    socket.say({
      type: 'prompt',
      title: '<b>Bank</b>',
      instructions: '',
      prompts: [
        { text: 'Password: ', echo: false },
        { text: 'Code: ', echo: true },
      ],
    });
    expect(await screen.findByText('<b>Bank</b>')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Password:'), { target: { value: 'one' } });
    fireEvent.change(screen.getByLabelText('Code:'), { target: { value: '123456' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(socket.texts.at(-1)).toEqual({ type: 'answer', answers: ['one', '123456'] });
  });

  it('returns to the form with the reason when the login is refused', async () => {
    openPage();
    const socket = await logIn();
    socket.say({ type: 'failed', code: 'ssh_authentication_failed', detail: 'no' });
    expect((await screen.findByRole('alert')).textContent).toMatch(/did not accept the user name/);
    expect(screen.getByLabelText('Password')).toHaveProperty('value', 'secret');
  });

  it('stops at a changed host key and shows both fingerprints', async () => {
    openPage();
    const socket = await logIn();
    socket.say({
      type: 'failed',
      code: 'host_key_changed',
      detail: '',
      pinnedFingerprint: 'SHA256:old',
      presentedFingerprint: 'SHA256:new',
    });
    expect(await screen.findByText('SHA256:old')).toBeTruthy();
    expect(screen.getByText('SHA256:new')).toBeTruthy();
    expect(screen.queryAllByRole('button', { name: 'Connect' })).toHaveLength(0);
  });

  it('names old algorithms of the device, and logs in by them once they are taken', async () => {
    openPage();
    const socket = await logIn();
    socket.say({
      type: 'failed',
      code: 'ssh_old_algorithms',
      detail: 'Old algorithms',
      reason: 'Unable to negotiate: no matching cipher found. Their offer: aes128-cbc',
      algorithms: ['aes128-cbc'],
    });
    expect(await screen.findByText('aes128-cbc')).toBeTruthy();
    expect(screen.getByText(/Their offer: aes128-cbc/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Connect with them' }));
    await waitFor(() => expect(FakeSocket.last).not.toBe(socket));
    const second = FakeSocket.last;
    await waitFor(() => expect(second.texts).toHaveLength(1));
    const taken = { type: 'start', oldAlgorithms: ['aes128-cbc'] };
    expect(second.texts[0]).toMatchObject({ ...taken, credential: { password: 'secret' } });
    // A mistyped password does not bring the question back.
    second.say({ type: 'failed', code: 'ssh_authentication_failed', detail: 'no' });
    await screen.findByText(/did not accept the user name/);
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    await waitFor(() => expect(FakeSocket.last).not.toBe(second));
    await waitFor(() => expect(FakeSocket.last.texts[0]).toMatchObject(taken));
  });

  it.each(['admin', 'member'] as const)(
    'offers to forget a changed host key to admins alone: %s',
    async (userRole) => {
      const { callsOf } = openPage({
        ...asRole(userRole),
        forgetHostKey: () => undefined,
      });
      const socket = await logIn();
      socket.say({
        type: 'failed',
        code: 'host_key_changed',
        detail: '',
        presentedFingerprint: 'SHA256:new',
      });
      await screen.findByText('SHA256:new');
      if (userRole === 'member') {
        expect(screen.queryByRole('button', { name: 'Forget the saved key' })).toBeNull();
        return;
      }
      fireEvent.click(await screen.findByRole('button', { name: 'Forget the saved key' }));
      expect(callsOf('forgetHostKey')).toEqual([]);
      fireEvent.click(await screen.findByRole('button', { name: 'Forget' }));
      // Back at the login, which tries with the key that is there now.
      expect(await screen.findByRole('button', { name: 'Connect' })).toBeTruthy();
      expect(callsOf('forgetHostKey')).toHaveLength(1);
      expect(await screen.findByText('Host key forgotten')).toBeTruthy();
    },
  );

  it('tells the exit code and reconnects at a click', async () => {
    openPage();
    const first = await openShell();
    first.say({ type: 'exit', exitCode: 3, signal: null });
    expect(await screen.findByText('The session has ended with code 3.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Reconnect' }));
    await waitFor(() => expect(FakeSocket.last).not.toBe(first));
    await waitFor(() => expect(FakeSocket.last.texts[0]).toMatchObject({ type: 'start' }));
  });

  it.each([
    ['told by the server', 'controller_offline'],
    ['told by its status: its agent stopped and reset the connection', 'ssh_failed'],
  ] as const)('reconnects by itself when the controller that went offline is back, %s', async (_, code) => {
    const away = 'The controller went offline. Reconnecting when it is back.';
    let isBack = false;
    const view = openPage({
      openTunnel: () =>
        isBack || FakeSocket.sockets.length === 0
          ? opened
          : refuse(409, 'controller_offline', 'The controller is offline.'),
      getController: () =>
        makeController({ status: isBack || FakeSocket.sockets.length === 0 ? 'online' : 'offline' }),
    });
    const first = await openShell();
    first.say({ type: 'failed', code, detail: '' });
    if (code === 'ssh_failed') {
      await screen.findByText('The SSH session failed.');
      void view.queryClient.invalidateQueries();
    }
    expect(await screen.findByText(away)).toBeTruthy();
    expect(FakeSocket.last).toBe(first);
    isBack = true;
    await waitFor(() => expect(FakeSocket.last).not.toBe(first), { timeout: 10_000 });
    await waitFor(() =>
      expect(FakeSocket.last.texts[0]).toMatchObject({
        type: 'start',
        credential: { method: 'password', password: 'secret' },
      }),
    );
    expect(screen.getByText(away)).toBeTruthy();
    expect(screen.queryByLabelText('Password')).toBeNull();
    FakeSocket.last.say(ready);
    await waitFor(() => expect(screen.queryByText(away)).toBeNull());
    expect(screen.getAllByRole('button', { name: 'Disconnect' }).length).toBeGreaterThan(0);
  });

  it('seeks a lost connection, and goes on in the same screen', async () => {
    openPage();
    const socket = await openShell();
    socket.drop();
    expect(await screen.findByText('Connection to the server lost, reconnecting…')).toBeTruthy();
    expect(screen.getByText(/The session waits for \d+ s/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Try now' }));
    await waitFor(() => expect(FakeSocket.last).not.toBe(socket));
    await waitFor(() =>
      expect(FakeSocket.last.texts[0]).toMatchObject({ type: 'resume', resumeToken: 'token' }),
    );
    FakeSocket.last.say({ type: 'resumed', received: 0 });
    expect(screen.queryByText('Connection to the server lost, reconnecting…')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Tab', hidden: true }));
    expect(FakeSocket.last.bytes.map((bytes) => new TextDecoder().decode(bytes))).toEqual(['\t']);
  });

  it.each([
    ['en', 'Waiting for the controller…', /The session waits for 1?\d\d? s/],
    ['ru', 'Ждём контроллер…', /Сеанс ждёт ещё 1?\d\d? с/],
  ] as const)(
    'says in %s that the controller is waited for until it is back',
    async (locale, words, time) => {
      openPage({}, locale);
      fireEvent.change(await screen.findByLabelText(locale === 'en' ? 'Password' : 'Пароль'), {
        target: { value: 'secret' },
      });
      fireEvent.click(screen.getByRole('button', { name: locale === 'en' ? 'Connect' : 'Подключиться' }));
      await waitFor(() => expect(FakeSocket.last.texts).toHaveLength(1));
      const socket = FakeSocket.last;
      socket.say(ready);
      expect(await screen.findByRole('button', { name: 'Tab', hidden: true })).toBeTruthy();
      socket.say({ type: 'controllerLost', remainingMs: 118_000 });
      expect(await screen.findByText(words)).toBeTruthy();
      expect(screen.getByText(time)).toBeTruthy();
      // Nothing can be done from here, and nothing typed.
      expect(screen.queryByRole('button', { name: 'Tab', hidden: true })).toBeNull();
      expect(screen.queryByRole('button', { name: /Try now|Попробовать/ })).toBeNull();
      socket.say({ type: 'controllerBack' });
      expect(await screen.findByRole('button', { name: 'Tab', hidden: true })).toBeTruthy();
      expect(screen.queryByText(words)).toBeNull();
    },
  );

  it('a controller that is not back in time ends the session it was waited for in', async () => {
    openPage();
    const socket = await openShell();
    socket.say({ type: 'controllerLost', remainingMs: 5_000 });
    expect(await screen.findByText('Waiting for the controller…')).toBeTruthy();
    socket.say({ type: 'failed', code: 'controller_offline', detail: '' });
    expect(await screen.findByText(/The controller went offline/)).toBeTruthy();
    expect(screen.queryByText('Waiting for the controller…')).toBeNull();
  });

  it('tells that the session is gone, and offers a new one', async () => {
    openPage();
    const socket = await openShell();
    socket.drop();
    fireEvent.click(await screen.findByRole('button', { name: 'Try now' }));
    await waitFor(() => expect(FakeSocket.last).not.toBe(socket));
    FakeSocket.last.say({ type: 'failed', code: 'session_gone', detail: '' });
    expect(await screen.findByText(/The session is over/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reconnect' })).toBeTruthy();
  });

  it('/connect/ssh has several sessions, each with a login of its own', async () => {
    openPage();
    const first = await openShell();
    fireEvent.keyDown(window, { code: 'Enter', ctrlKey: true, shiftKey: true });
    expect(await screen.findAllByRole('tab')).toHaveLength(2);
    expect(screen.getByLabelText('Password')).toHaveProperty('value', '');
    const second = await logIn('another');
    second.say(ready);
    await waitFor(() => expect(screen.getByRole('tab', { name: '2: root' })).toBeTruthy());
    expect(first.isClosed).toBe(false);
    fireEvent.keyDown(window, { code: 'ArrowLeft', ctrlKey: true, shiftKey: true });
    expect(screen.getByRole('tab', { name: '1: root' }).getAttribute('aria-selected')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: 'Close session 1: root' }));
    expect(first.isClosed).toBe(false);
    fireEvent.click(await screen.findByRole('button', { name: 'Close session' }));
    await waitFor(() => expect(first.isClosed).toBe(true));
    expect(second.isClosed).toBe(false);
  });

  it('asks before the browser leaves a running shell', async () => {
    openPage();
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    await screen.findByLabelText('Password');
    expect(leave()).toBe(false);
    const socket = await openShell();
    expect(leave()).toBe(true);
    socket.say({ type: 'exit', exitCode: 0, signal: null });
    await screen.findByText(/The session has ended/);
    expect(leave()).toBe(false);
  });

  it('looks through the output', async () => {
    openPage();
    const socket = await openShell();
    act(() => {
      const data = new TextEncoder().encode('alpha\r\nbeta\r\nalphabet\r\n').buffer;
      socket.dispatchEvent(new MessageEvent('message', { data }));
    });
    await waitFor(() => expect(socket.texts.at(-1)).toEqual({ type: 'ackOutput', position: 23 }));
    fireEvent.keyDown(window, { code: 'KeyF', ctrlKey: true, shiftKey: true });
    const field = await screen.findByRole('textbox', { name: 'Find in the output' });
    fireEvent.change(field, { target: { value: 'alpha' } });
    expect(await screen.findByText('2 of 2')).toBeTruthy();
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(await screen.findByText('1 of 2')).toBeTruthy();
    fireEvent.change(field, { target: { value: 'gamma' } });
    expect(await screen.findByText('Not found')).toBeTruthy();
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(screen.queryByRole('textbox', { name: 'Find in the output' })).toBeNull();
  });

  it('lists its keys', async () => {
    openPage();
    await screen.findByLabelText('Password');
    fireEvent.keyDown(window, { code: 'Slash', ctrlKey: true, shiftKey: true });
    expect(await screen.findByText('Copy the selection')).toBeTruthy();
  });

  it('ends the shell when the page is left', async () => {
    const { unmount } = openPage();
    const socket = await openShell();
    unmount();
    expect(socket.isClosed).toBe(true);
  });

  it('sends the extra keys of a phone', async () => {
    openPage();
    const socket = await openShell();
    fireEvent.click(screen.getByRole('button', { name: 'Escape', hidden: true }));
    fireEvent.click(screen.getByRole('button', { name: 'Up', hidden: true }));
    expect(socket.bytes.map((bytes) => new TextDecoder().decode(bytes))).toEqual(['\x1b', '\x1b[A']);
  });

  it('remembers the size of the text', async () => {
    openPage();
    fireEvent.click(await screen.findByRole('button', { name: 'View and keys' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Larger text', hidden: true }));
    expect(localStorage.getItem('terminal.fontSize')).toBe('15');
  });

  it('lets nobody log in to an offline controller, and says why', async () => {
    openPage({ getController: () => makeController({ status: 'offline' }) });
    expect(await screen.findByText(/The controller is offline/)).toBeTruthy();
    const button = screen.getByRole('button', { name: 'Connect' });
    fireEvent.click(button);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(FakeSocket.sockets).toEqual([]);
  });

  it('keeps the screen of a shell whose controller was deleted, until the next session', async () => {
    let isDeleted = false;
    const { queryClient } = openPage({
      getController: () => (isDeleted ? refuse(404, 'controller_not_found') : makeController()),
    });
    const socket = await openShell();
    isDeleted = true;
    socket.say({ type: 'failed', code: 'access_ended', detail: '' });
    await act(() => queryClient.invalidateQueries());
    expect(await screen.findByText('Access to the controller has ended.')).toBeTruthy();
    expect(screen.queryByText('There is no such controller')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Log in as another user' }));
    expect(await screen.findByText('There is no such controller')).toBeTruthy();
  });

  it('says in the form why the tunnel was not opened', async () => {
    openPage({ openTunnel: () => refuse(409, 'tunnels_limit_reached', 'Too many tunnels are open.') });
    fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'secret' } });
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    expect((await screen.findAllByText(/Too many tunnels are open/)).length).toBeGreaterThan(0);
    expect(FakeSocket.sockets).toEqual([]);
  });
});
