import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { organization } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { renderConsole } from '../../testing/render-console.tsx';

beforeEach(() => {
  FakeSocket.sockets = [];
});

async function failWith(locale: 'ru' | 'en', failure: object) {
  const tunnel = { id: organization.id, protocol: 'ssh', createdAt: '', expiresAt: '2025-11-20T22:00:00Z' };
  renderConsole('/connect/ssh/A1B2C3D4/', {
    locale,
    answers: { openTunnel: () => ({ tunnel, tunnelRedirectUrl: '', tunnelKey: 'single-use' }) },
  });
  vi.stubGlobal('WebSocket', FakeSocket);
  fireEvent.change(await screen.findByLabelText(/^(Password|Пароль)$/), { target: { value: 'secret' } });
  fireEvent.click(screen.getByRole('button', { name: /^(Connect|Подключиться)$/ }));
  await waitFor(() => expect(FakeSocket.last.texts).toHaveLength(1));
  // In the language of the account, whatever that of the page is.
  FakeSocket.last.say({ type: 'failed', code: 'service_refused', detail: 'Of another language', ...failure });
  return (await screen.findByRole('alert')).textContent;
}

test.each([
  ['ru', /^Контроллер не принимает подключения по SSH.+Устройство сообщает: «connect ECONNREFUSED»$/],
  ['en', /^The controller refuses SSH connections.+The device says: “connect ECONNREFUSED”$/],
] as const)(
  'a refused terminal says why in the language of the page (%s), and quotes the device',
  async (locale, text) => {
    expect(await failWith(locale, { reason: 'connect ECONNREFUSED' })).toMatch(text);
  },
);

test.each([
  ['ru', /^Контроллер подключён по SSH и не пробросил свой порт 22.+127\.0\.0\.1:22\.$/],
  ['en', /^The controller is connected by SSH and does not forward its port 22.+ssh command\.$/],
] as const)('a terminal to a port that is not forwarded says what to do (%s)', async (locale, text) => {
  expect(await failWith(locale, { isNotForwarded: true })).toMatch(text);
});
