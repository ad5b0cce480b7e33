import type { Environments } from '@pult/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { isAuthorized } from '../../../shared/auth/authorization.ts';
import { refuse, throttle } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const proof = {
  id: 'a2V5',
  rawId: 'a2V5',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
};

/** A browser with one passkey, whose user does what the test says. */
function stubBrowser(prove: () => Promise<unknown>) {
  class FakeCredential {
    static parseRequestOptionsFromJSON = ({ challenge }: { challenge: string }) => ({ parsed: challenge });
    toJSON = () => proof;
  }
  vi.stubGlobal('PublicKeyCredential', FakeCredential);
  const get = vi.fn(async (_: unknown) => {
    await prove();
    return new FakeCredential();
  });
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
  return get;
}
afterEach(() => Reflect.deleteProperty(navigator, 'credentials'));

function openLogin(uses: Environments['PASSKEYS'], answer: () => unknown = () => ({ access: 'jwt' })) {
  return renderConsole('/login?redirect=%2Fsecurity', {
    isAuthorized: false,
    answers: {
      getEnvironments: () => ({ IS_ON_PREMISE: true, TOTP_AUTH_ENABLED: true, PASSKEYS: uses }),
      createPasskeyChallenge: () => ({ challenge: 'bm9uY2U' }),
      logInByPasskey: answer,
      listSessions: () => [],
    },
  });
}
const findButton = () => screen.findByRole('button', { name: 'Log in with a passkey' });

test('a passkey alone logs in and leads on, with neither email nor password', async () => {
  const get = stubBrowser(async () => {});
  const { callsOf, address } = openLogin('login');
  fireEvent.click(await findButton());
  await waitFor(() => expect(address()).toBe('/security'));
  expect(isAuthorized()).toBe(true);
  expect(get).toHaveBeenCalledWith({ publicKey: { parsed: 'bm9uY2U' } });
  expect(callsOf('logInByPasskey').map(({ body }) => body)).toEqual([{ passkey: proof }]);
  expect(callsOf('login')).toEqual([]);
});

test('a passkey that is not accepted is told in the form, without a toast', async () => {
  stubBrowser(async () => {});
  const { address } = openLogin('login', () => refuse(401, 'invalid_credentials'));
  fireEvent.click(await findButton());
  expect((await screen.findByRole('alert')).textContent).toBe('The passkey was not accepted');
  expect(document.querySelector('.Toastify__toast')).toBeNull();
  expect([isAuthorized(), address()]).toEqual([false, '/login?redirect=/security']);
});

test('a passkey waits for the next try after too many', async () => {
  stubBrowser(async () => {});
  openLogin('login', () => throttle(30));
  fireEvent.click(await findButton());
  await screen.findByText(/^Next try in (30|29) seconds$/);
  expect((await findButton()).hasAttribute('disabled')).toBe(true);
});

test.each([
  ['closed by its user says nothing', new DOMException('no', 'NotAllowedError'), false],
  ['that the browser cannot check is told by a toast', new DOMException('no', 'SecurityError'), true],
])('a passkey %s, and asks the server nothing', async (_, error, hasToast) => {
  stubBrowser(() => Promise.reject(error));
  const { callsOf } = openLogin('login');
  fireEvent.click(await findButton());
  await waitFor(() => expect(callsOf('createPasskeyChallenge')).toHaveLength(1));
  await waitFor(async () => expect((await findButton()).hasAttribute('data-loading')).toBe(false));
  if (hasToast) await screen.findByText('The browser could not check the passkey');
  else expect(document.querySelector('.Toastify__toast')).toBeNull();
  expect(callsOf('logInByPasskey')).toEqual([]);
  // It may be tried again.
  expect((await findButton()).hasAttribute('disabled')).toBe(false);
});

test.each(['code', 'none'] as const)(
  'a passkey is not offered at the login where it is good for: %s',
  async (uses) => {
    stubBrowser(async () => {});
    openLogin(uses);
    await screen.findByText('Forgot your password?');
    await expect(screen.findByRole('button', { name: /passkey/ }, { timeout: 300 })).rejects.toThrow();
  },
);

test('a passkey is not offered at the login by a browser that has none', async () => {
  openLogin('login');
  await screen.findByText('Forgot your password?');
  await expect(screen.findByRole('button', { name: /passkey/ }, { timeout: 300 })).rejects.toThrow();
});
