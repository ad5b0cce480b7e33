import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { paths } from '../../../shared/paths.ts';
import { type Answers, refuse, refuseFields } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const email = 'new@example.com';
const token = 'invite-token';
const invite = { invitedUserEmail: email, userExists: false, organizationToJoin: { name: 'Boiler Works' } };
const environments = (IS_ON_PREMISE: boolean) => () => ({ IS_ON_PREMISE, MAX_ACTIVATED_CONTROLLERS: 0 });

const open = (answers: Answers, address = paths.signup({ token, email })) =>
  renderConsole(address, {
    isAuthorized: false,
    answers: { validateInvite: () => invite, login: () => ({ access: 'jwt' }), ...answers },
  });

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const submit = (name = 'Sign up') => fireEvent.click(screen.getByRole('button', { name }));

// spec: 2.19
test('spec 2: an invited one sees who invites, gives a password, and is logged in at once', async () => {
  const { callsOf, address } = open({ signUp: () => ({ email }) });
  await screen.findByRole('heading', { name: 'You are invited to the organization “Boiler Works”' });
  const field = screen.getByLabelText<HTMLInputElement>('Email');
  expect([field.value, field.readOnly]).toEqual([email, true]);
  expect(screen.getByLabelText('Password').getAttribute('autocomplete')).toBe('new-password');
  type('Password', 'correct horse');
  submit();
  await waitFor(() => expect(address()).toMatch(/^\/organizations\//));
  expect(callsOf('signUp').map(({ body }) => body)).toEqual([
    { userEmail: email, userPassword: 'correct horse', organizationInviteToken: token },
  ]);
  expect(callsOf('login').map(({ body }) => body)).toEqual([{ username: email, password: 'correct horse' }]);
});

test('the token of the invite leaves the address, and a reload still has it', async () => {
  const { address, router, callsOf } = open({});
  await screen.findByLabelText('Password');
  expect(address()).toBe(`/signup?email=${email}`);
  expect(router.history.length).toBe(1);
  await router.invalidate();
  expect(callsOf('validateInvite').map(({ body }) => body)).toEqual([
    { organizationInviteToken: token },
    { organizationInviteToken: token },
  ]);
});

test('an invite that is none is explained', async () => {
  open({ validateInvite: () => refuse(400, 'invite_invalid', 'The invite is not valid.') });
  await screen.findByRole('heading', { name: 'This invite no longer works' });
  expect(screen.queryByLabelText('Password')).toBeNull();
});

test('an invite that ends while the form is filled in is explained, too', async () => {
  open({ signUp: () => refuse(400, 'invite_invalid') });
  await screen.findByLabelText('Password');
  type('Password', 'correct horse');
  submit();
  await screen.findByRole('heading', { name: 'This invite no longer works' });
});

test('the login page takes over when the login after the sign-up fails', async () => {
  const { address } = open({ signUp: () => ({ email }), login: () => refuse(500, 'internal_error') });
  await screen.findByLabelText('Password');
  type('Password', 'correct horse');
  submit();
  await waitFor(() => expect(address()).toBe(`/login?email=${email}`));
  expect(await screen.findByText('Account created')).toBeTruthy();
});

// spec: 5.01
test('spec 5: sign-up lower-cases the email, and tells to look into the mail', async () => {
  const { callsOf } = open({ getEnvironments: environments(false), signUp: () => ({ email }) }, '/signup');
  await screen.findByRole('heading', { name: 'Sign up' });
  type('Email', ' New@Example.COM ');
  type('Password', 'correct horse');
  submit();
  await screen.findByRole('heading', { name: 'Check your mail' });
  expect(screen.getByText(new RegExp(`We sent a link to ${email}`))).toBeTruthy();
  expect(callsOf('signUp').map(({ body }) => body)).toEqual([
    { userEmail: email, userPassword: 'correct horse' },
  ]);
  expect(callsOf('login')).toHaveLength(0);
});

test('the page says so where sign-up is by invite only', async () => {
  open({ getEnvironments: environments(true) }, '/signup');
  await screen.findByText(/Accounts are made by invite/);
  expect(screen.queryByLabelText('Password')).toBeNull();
});

// spec: 8.05
test('spec 8: what the server has against the fields stands beside them, without a toast', async () => {
  open(
    {
      getEnvironments: environments(false),
      signUp: () =>
        refuseFields({
          userEmail: ['Enter a valid email address.'],
          userPassword: ['This password is too common.'],
        }),
    },
    '/signup',
  );
  await screen.findByRole('heading', { name: 'Sign up' });
  type('Email', 'new@example');
  type('Password', 'password123');
  submit();
  await screen.findByText('Enter a valid email address.');
  expect(screen.getByText('This password is too common.')).toBeTruthy();
  // The first of them, ready to be typed anew.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')));
  expect(document.querySelector('.Toastify__toast')).toBeNull();
  type('Password', 'another one');
  expect(screen.queryByText('This password is too common.')).toBeNull();
});

test('the rules of a password are checked while it is typed, and before the server is asked', async () => {
  const { callsOf } = open({});
  await screen.findByLabelText('Password');
  type('Password', 'short');
  const rules = screen.getByRole('list', { name: 'Password rules' });
  expect(rules.textContent).toBe('8 to 70 characters, not metNot your email, met');
  submit();
  await screen.findByText('The password does not meet the rules');
  type('Password', email);
  expect(rules.textContent).toBe('8 to 70 characters, metNot your email, not met');
  submit();
  type('Password', 'correct horse');
  expect(rules.textContent).toBe('8 to 70 characters, metNot your email, met');
  expect(callsOf('signUp')).toHaveLength(0);
});

test('the link of a sign-up is used up by a press, not by opening the page', async () => {
  const { callsOf, address } = open(
    { confirmSignUp: () => ({ email }) },
    paths.signupConfirm('mailed-secret'),
  );
  const button = await screen.findByRole('button', { name: 'Confirm email' });
  expect(address()).not.toContain('mailed-secret');
  fireEvent.click(button);
  expect(callsOf('confirmSignUp')).toHaveLength(0);
  type('Password', 'correct horse');
  fireEvent.click(button);
  await screen.findByRole('heading', { name: 'Email confirmed' });
  expect(callsOf('confirmSignUp').map(({ body }) => body)).toEqual([
    { token: 'mailed-secret', password: 'correct horse' },
  ]);
  const link = screen.getByRole('link', { name: 'Log in' });
  expect(link.getAttribute('href')).toBe(paths.login({ email }));
});

test('a link that was used or has expired is explained', async () => {
  open({ confirmSignUp: () => refuse(400, 'signup_token_invalid') }, paths.signupConfirm('old'));
  await screen.findByRole('button', { name: 'Confirm email' });
  type('Password', 'correct horse');
  submit('Confirm email');
  await screen.findByRole('heading', { name: 'This link no longer works' });
});

test('a confirmation with another password is refused in the field, and the link stays good', async () => {
  open(
    { confirmSignUp: () => refuseFields({ password: ['Wrong password.'] }) },
    paths.signupConfirm('mailed-secret'),
  );
  await screen.findByRole('button', { name: 'Confirm email' });
  type('Password', 'another one');
  submit('Confirm email');
  await screen.findByText('Wrong password');
  screen.getByRole('button', { name: 'Confirm email' });
});
