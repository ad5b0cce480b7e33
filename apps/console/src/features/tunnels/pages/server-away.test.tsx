import { fireEvent, screen, waitFor } from '@testing-library/react';
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

function openPage(locale: 'ru' | 'en') {
  const view = renderConsole('/connect/ssh/A1B2C3D4/', {
    locale,
    answers: { openTunnel: () => ({ tunnel, tunnelRedirectUrl: '', tunnelKey: 'single-use' }) },
  });
  vi.stubGlobal('WebSocket', FakeSocket);
  const { fetch } = globalThis;
  return {
    /** Until nobody tries once more by themselves. */
    async goAway() {
      vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
      void view.queryClient.invalidateQueries();
      await waitFor(() => expect(view.queryClient.isFetching()).toBe(0), { timeout: 10_000 });
    },
    // Nothing but the page itself asks whether the server is back.
    comeBack: () => void vi.stubGlobal('fetch', fetch),
  };
}

describe('a terminal whose server is away', () => {
  it.each([
    [
      'en',
      ['Password', 'Connect'],
      /went offline/,
      'No connection to the server. Reconnecting when it is back.',
    ],
    [
      'ru',
      ['Пароль', 'Подключиться'],
      /ушёл из сети/,
      'Нет связи с сервером. Подключимся снова, когда она восстановится.',
    ],
  ] as const)(
    'says so in %s, also where its controller had left before',
    async (locale, [password, connect], left, away) => {
      const server = openPage(locale);
      fireEvent.change(await screen.findByLabelText(password), { target: { value: 'secret' } });
      fireEvent.click(screen.getByRole('button', { name: connect }));
      await waitFor(() => expect(FakeSocket.last.texts).toHaveLength(1));
      FakeSocket.last.say({
        type: 'ready',
        hostKeyFingerprint: 'SHA256:abc',
        hostKeyIsNew: false,
        resumeToken: 'token',
      });
      FakeSocket.last.say({ type: 'failed', code: 'controller_offline', detail: '' });
      await screen.findByText(left);
      await server.goAway();
      expect(await screen.findByText(away)).toBeTruthy();
      expect(screen.queryByText(left)).toBeNull();
      server.comeBack();
      await waitFor(() => expect(screen.queryByText(away)).toBeNull(), { timeout: 10_000 });
    },
  );

  it('waits with the login until the server is back, whatever was known of the controller', async () => {
    const server = openPage('en');
    await screen.findByLabelText('Password');
    await server.goAway();
    expect((await screen.findByText(/^No connection to the server/)).getAttribute('role')).toBe('status');
    server.comeBack();
    await waitFor(() => expect(screen.queryByText(/^No connection to the server/)).toBeNull(), {
      timeout: 10_000,
    });
  });
});
