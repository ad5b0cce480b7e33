import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse, throttle } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

interface LoginBody {
  password: string;
  totpCode?: string;
  recoveryCode?: string;
}

const password = 'correct horse';
const recoveryCode = 'ABCDE-FGHIJ-KLMNO-PQRST-UVWXY';

function answerLogin({ totpCode, recoveryCode: typed, ...body }: LoginBody) {
  if (body.password !== password) return refuse(401, 'invalid_credentials');
  if (totpCode === undefined && typed === undefined) return refuse(401, 'totp_required');
  if (totpCode === '123456' || typed === recoveryCode) return { access: 'jwt' };
  return refuse(401, 'totp_invalid');
}

/** The login page after the right password of an account with TOTP. */
async function reachCodeStep(login: (body: LoginBody) => unknown = answerLogin) {
  const view = renderConsole('/login?redirect=%2Fsecurity', {
    isAuthorized: false,
    answers: { login: ({ body }) => login(body as LoginBody), listSessions: () => [] }, // the console's own body
  });
  fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'Me@Example.com' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
  await screen.findByRole('heading', { name: 'Confirm it is you' });
  return view;
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

// spec: 1.04
test('spec 1: a login with a second factor asks for its code, sends it when it is complete, and leads on', async () => {
  const { callsOf, address } = await reachCodeStep();
  expect(screen.queryByRole('alert')).toBeNull();
  const field = screen.getByLabelText('Authenticator code');
  expect([field.getAttribute('autocomplete'), field.getAttribute('inputmode')]).toEqual([
    'one-time-code',
    'numeric',
  ]);
  expect(document.activeElement).toBe(field);
  type('Authenticator code', '12345');
  expect(callsOf('login')).toHaveLength(1);
  type('Authenticator code', '123 456');
  await waitFor(() => expect(address()).toBe('/security'));
  expect(callsOf('login')[1]?.body).toEqual({ username: 'me@example.com', password, totpCode: '123456' });
});

test('a wrong code is told beside its field, which is empty again, and has no toast', async () => {
  const { callsOf } = await reachCodeStep();
  type('Authenticator code', '000000');
  await screen.findByText('The code is wrong or was already used');
  expect(screen.getByLabelText<HTMLInputElement>('Authenticator code').value).toBe('');
  expect(document.querySelector('.Toastify__toast')).toBeNull();
  expect(callsOf('login')).toHaveLength(2);
});

// spec: 7.04
test('spec 7: a recovery code logs in without the phone', async () => {
  const { callsOf, address } = await reachCodeStep();
  fireEvent.click(screen.getByRole('button', { name: 'No phone at hand? Use a recovery code' }));
  type('Recovery code', recoveryCode);
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
  await waitFor(() => expect(address()).toBe('/security'));
  expect(callsOf('login')[1]?.body).toEqual({ username: 'me@example.com', password, recoveryCode });
});

test('a wrong recovery code stays to be corrected; the way to the app’s code is open', async () => {
  await reachCodeStep();
  fireEvent.click(screen.getByRole('button', { name: 'No phone at hand? Use a recovery code' }));
  type('Recovery code', 'ABCDE');
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
  await screen.findByText('The code is wrong or was already used');
  expect(screen.getByLabelText<HTMLInputElement>('Recovery code').value).toBe('ABCDE');
  fireEvent.click(screen.getByRole('button', { name: 'Use the authenticator app' }));
  expect(screen.getByLabelText('Authenticator code')).toBeTruthy();
});

test('the way back keeps the email and forgets the password, which is stored nowhere', async () => {
  await reachCodeStep();
  expect(JSON.stringify({ ...localStorage, ...sessionStorage, ...window.history.state })).not.toContain(
    password,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Back to login' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe('Me@Example.com');
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an incomplete code is told before the server is asked', async () => {
  const { callsOf } = await reachCodeStep();
  type('Authenticator code', '12');
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
  await screen.findByText('Enter all six digits');
  expect(callsOf('login')).toHaveLength(1);
});

test('too many codes are told with a countdown, and none is sent meanwhile', async () => {
  const { callsOf } = await reachCodeStep((body) => (body.totpCode ? throttle(30) : answerLogin(body)));
  type('Authenticator code', '111111');
  await screen.findByText(/^Next try in (30|29) seconds$/);
  type('Authenticator code', '222222');
  expect(callsOf('login')).toHaveLength(2);
});

test('a password that was changed meanwhile leads back to the first step', async () => {
  await reachCodeStep((body) => (body.totpCode ? refuse(401, 'invalid_credentials') : answerLogin(body)));
  type('Authenticator code', '123456');
  expect(await screen.findByText('Wrong email or password')).toBeTruthy();
  expect(screen.getByLabelText('Password')).toBeTruthy();
});

test('what was wrong with a code is not said of the recovery code', async () => {
  await reachCodeStep();
  type('Authenticator code', '000000');
  await screen.findByText('The code is wrong or was already used');
  fireEvent.click(screen.getByRole('button', { name: 'No phone at hand? Use a recovery code' }));
  expect(screen.queryByText('The code is wrong or was already used')).toBeNull();
});
