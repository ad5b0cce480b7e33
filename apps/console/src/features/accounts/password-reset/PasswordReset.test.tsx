import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { paths } from '../../../shared/paths.ts';
import { type Answers, refuse, refuseFields, throttle } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const open = (address: string, answers: Answers) => renderConsole(address, { isAuthorized: false, answers });

async function request(answers: Answers) {
  const view = open('/password-reset/', answers);
  fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'Me@Example.com' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send the link' }));
  return view;
}

async function setPassword(answers: Answers) {
  const view = open(paths.passwordResetConfirm('uid-1', 'mailed-secret'), answers);
  fireEvent.change(await screen.findByLabelText('New password'), { target: { value: 'correct horse' } });
  fireEvent.click(screen.getByRole('button', { name: 'Set the password' }));
  return view;
}

// spec: 2.26
test('spec 2: a password reset is requested, and the page tells where the mail went', async () => {
  const { callsOf } = await request({ requestPasswordReset: () => ({ detail: 'Sent.' }) });
  await screen.findByRole('heading', { name: 'Check your mail' });
  expect(screen.getByText(/If there is an account me@example.com/)).toBeTruthy();
  expect(callsOf('requestPasswordReset').map(({ body }) => body)).toEqual([{ email: 'me@example.com' }]);
});

test.each(['me@example.com', 'nobody@example.com'])(
  'the page says where there is no mail server that no mail leaves and what an administrator does, for %s',
  async (email) => {
    const environments = { IS_ON_PREMISE: true, MAIL_ENABLED: false, PULT_COMMAND: 'pult' };
    open('/password-reset/', {
      getEnvironments: () => environments,
      requestPasswordReset: () => ({ detail: 'Sent.' }),
    });
    await screen.findByText(/^This server sends no mail. Ask an administrator/);
    fireEvent.change(screen.getByLabelText('Email'), { target: { value: email } });
    fireEvent.click(screen.getByRole('button', { name: 'Make a link' }));
    await screen.findByRole('heading', { name: 'Ask your administrator' });
    expect(screen.getByText(`pult user set-password ${email}`)).toBeTruthy();
    expect(screen.queryByText('Check your mail')).toBeNull();
  },
);

test('spec 8: too many requests are told by a toast alone, and the form counts down to the next try', async () => {
  await request({ requestPasswordReset: () => throttle(30) });
  await screen.findByText(/^Next try in (30|29) seconds$/);
  expect(screen.getAllByText(/^Too many attempts/)).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Send the link' }).hasAttribute('disabled')).toBe(true);
});

test('spec 8: an address that is none is told by a toast and at its field', async () => {
  await request({ requestPasswordReset: () => refuseFields({ email: ['Enter a valid email address.'] }) });
  await screen.findByText('Enter a valid email address');
  await screen.findByText('Enter a valid email address.');
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
});

// spec: 2.27
test('spec 2: the mailed link sets a new password and leads to the login, which tells so', async () => {
  const { callsOf, address } = await setPassword({ confirmPasswordReset: () => ({ detail: 'Done.' }) });
  await waitFor(() => expect(address()).toBe('/login'));
  expect(await screen.findByText('Password changed')).toBeTruthy();
  expect(callsOf('confirmPasswordReset').map(({ body }) => body)).toEqual([
    { uid: 'uid-1', token: 'mailed-secret', newPassword: 'correct horse' },
  ]);
});

test('the token of the link leaves the address, and a reload still has it', async () => {
  const { address, router } = open(paths.passwordResetConfirm('uid-1', 'mailed-secret'), {});
  await screen.findByLabelText('New password');
  expect(address()).toBe('/password-reset/uid-1/token/');
  expect(router.history.length).toBe(1);
  await router.invalidate();
  expect(screen.getByLabelText('New password')).toBeTruthy();
});

test('a link that was used or has expired is explained, with the way to a new one', async () => {
  await setPassword({ confirmPasswordReset: () => refuse(400, 'reset_token_invalid') });
  await screen.findByRole('heading', { name: 'This link no longer works' });
  expect(screen.getByRole('link', { name: 'Request a new one' }).getAttribute('href')).toBe(
    '/password-reset/',
  );
});

test('so is an address from which the token was taken before', async () => {
  open('/password-reset/uid-1/token/', {});
  await screen.findByRole('heading', { name: 'This link no longer works' });
});

test('spec 8: a refused password is told by a toast and at its field, and the link still works', async () => {
  await setPassword({
    confirmPasswordReset: () => refuseFields({ newPassword: ['This password is too common.'] }),
  });
  await screen.findByText('This password is too common');
  await screen.findByText('This password is too common.');
  expect(screen.getByLabelText('New password').getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('button', { name: 'Set the password' })).toBeTruthy();
});
