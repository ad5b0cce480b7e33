import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { startApp } from '../../../app/testing/start-app.tsx';
import { isAuthorized } from '../../../shared/auth/authorization.ts';

afterEach(cleanup);

const call = 'POST /api/v1/auth/token/';
const json = { 'content-type': 'application/json; charset=utf-8' };

async function logIn(answer: unknown, path = '/login') {
  const app = startApp({ path, authorized: false, answers: { [call]: answer } });
  const bodies: unknown[] = [];
  const fetch = globalThis.fetch;
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    if (init?.method === 'POST' && String(input).includes('/token/'))
      bodies.push(JSON.parse(String(init.body)));
    return fetch(input, init);
  });
  fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'Me@Example.com' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret Word' } });
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
  return { ...app, bodies };
}

// spec: 4.01, 5.01
test('spec 4: a login that answers access makes authorized and leads on; spec 5: the username is lower-cased', async () => {
  const { href, bodies, queryClient } = await logIn({ access: 'jwt' }, '/login?redirect=%2Fsecurity');
  await waitFor(() => expect(href()).toBe('/security'));
  const kept = () =>
    queryClient
      .getMutationCache()
      .getAll()
      .map(({ state }) => state.variables);
  await waitFor(() => expect(JSON.stringify(kept())).not.toContain('secret Word'));
  expect(isAuthorized()).toBe(true);
  expect(bodies).toEqual([{ username: 'me@example.com', password: 'secret Word' }]);
});

// spec: 4.01
test('spec 4: a login that answers no access does not', async () => {
  const { href } = await logIn({});
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Log in' }).hasAttribute('data-loading')).toBe(false),
  );
  expect(isAuthorized()).toBe(false);
  expect(href()).toBe('/login');
});

test('spec 8: a wrong password is told in the form, without a toast', async () => {
  const body = { detail: 'Wrong email or password.', code: 'invalid_credentials' };
  await logIn(Response.json(body, { status: 401, headers: json }));
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong email or password');
  expect(document.querySelector('.Toastify__toast')).toBeNull();
});

test('spec 8: too many attempts are told by a toast alone, and the button waits for the next try', async () => {
  const body = { detail: 'Too many attempts. Try again in 30 s.', code: 'too_many_attempts' };
  await logIn(Response.json(body, { status: 429, headers: { ...json, 'retry-after': '30' } }));
  await screen.findByText(/^Next try in (30|29) seconds$/);
  expect(screen.getAllByText(/^Too many attempts/)).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Log in' }).hasAttribute('disabled')).toBe(true);
});

// spec: 2.15
test('spec 2: the email query fills in the email', async () => {
  startApp({ path: '/login?email=a%40b.c', authorized: false });
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe('a@b.c');
});

test('empty fields are told before the server is asked', async () => {
  const { calls } = startApp({ path: '/login', authorized: false });
  fireEvent.click(await screen.findByRole('button', { name: 'Log in' }));
  await screen.findByText('Enter your email');
  expect(screen.getByText('Enter your password')).toBeTruthy();
  expect(calls).not.toContain(call);
});

test('the sign-up link stands only where sign-up is open', async () => {
  startApp({
    path: '/login',
    authorized: false,
    answers: { 'GET /api/v1/environments/': { IS_ON_PREMISE: true } },
  });
  await screen.findByText('Forgot your password?');
  expect(screen.queryByRole('link', { name: 'Sign up' })).toBeNull();
  cleanup();
  startApp({
    path: '/login',
    authorized: false,
    answers: { 'GET /api/v1/environments/': { IS_ON_PREMISE: false } },
  });
  expect((await screen.findByRole('link', { name: 'Sign up' })).getAttribute('href')).toBe('/signup');
});
