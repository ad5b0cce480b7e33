import type { RouterHistory } from '@tanstack/react-router';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, organization, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const address = '/organizations?token=SECRET&orgName=Boiler%20Works';
const joined = { ...organization, id: '01890a5d-ac96-774b-bcce-b302099a8999', userRole: 'member' as const };

function arrive(answers: Answers = {}, locale: 'ru' | 'en' = 'en', history?: RouterHistory) {
  return renderConsole(address, {
    locale,
    ...(history ? { history } : {}),
    answers: {
      listOrganizations: () => [],
      validateInvite: () => ({
        invitedUserEmail: 'a@example.com',
        userExists: true,
        organizationToJoin: { name: 'Boiler Works' },
      }),
      acceptInvite: () => joined,
      getOrganization: () => joined,
      ...answers,
    },
  });
}

test('the token leaves the address as soon as the dialog is open, without a way back to it', async () => {
  const { address: current, router } = arrive();
  await screen.findByRole('dialog', { name: 'Invite' });
  await waitFor(() => expect(current()).toBe('/organizations'));
  expect(router.history.length).toBe(1);
});

test('an invite that was not answered is still there after a reload, and no longer once it was', async () => {
  const { router, unmount } = arrive();
  await screen.findByRole('button', { name: 'Accept' });
  await waitFor(() => expect(router.state.location.href).toBe('/organizations'));
  unmount();
  const { callsOf } = arrive({}, 'en', router.history);
  fireEvent.click(await screen.findByRole('button', { name: 'Decline' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(callsOf('validateInvite')).toHaveLength(1);
  expect(JSON.stringify(router.history.location.state)).not.toContain('SECRET');
});

// spec: 7.34
test('an accepted invite joins, tells so, reads the list anew and opens the organization', async () => {
  const { callsOf, address: current } = arrive();
  fireEvent.click(await screen.findByRole('button', { name: 'Accept' }));
  await screen.findByText('You have joined “Boiler Works”');
  await waitFor(() => expect(current()).toBe(`/organizations/${joined.id}`));
  expect(callsOf('acceptInvite').map(({ body }) => body)).toEqual([{ organizationInviteToken: 'SECRET' }]);
  expect(callsOf('listOrganizations').length).toBeGreaterThan(1);
});

test('a declined invite is not accepted, and stays valid', async () => {
  const { callsOf } = arrive({}, 'ru');
  fireEvent.click(await screen.findByRole('button', { name: 'Отклонить' }));
  await screen.findByText('Пока оно действует, его можно принять по той же ссылке');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(callsOf('acceptInvite')).toEqual([]);
});

test('an invite that is no longer valid is told in the dialog, with nothing to accept', async () => {
  arrive({ validateInvite: () => refuse(400, 'invite_invalid') });
  expect((await screen.findByRole('alert')).textContent).toMatch(/expired, was revoked or already accepted/);
  const close = screen.getAllByRole('button', { name: 'Close' });
  await waitFor(() => expect(close).toContain(document.activeElement));
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull();
  expect(document.querySelector('.Toastify__toast')).toBeNull();
});

test('an invite for somebody else is told in the dialog, with nothing to accept', async () => {
  const validateInvite = () => ({
    invitedUserEmail: 'other@example.com',
    userExists: true,
    organizationToJoin: { name: 'Boiler Works' },
  });
  arrive({ validateInvite });
  expect((await screen.findByRole('alert')).textContent).toContain('The invite is for other@example.com');
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull();
});

test.each([
  ['invite_invalid', 400, /The invite is not valid/],
  ['invite_for_another_user', 409, /The invite is for another email/],
])('a refusal while accepting is told in the dialog: %s', async (code, status, text) => {
  const { address: current } = arrive({ acceptInvite: () => refuse(status, code) });
  fireEvent.click(await screen.findByRole('button', { name: 'Accept' }));
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toContainEqual(
      expect.stringMatching(text),
    ),
  );
  expect(current()).toBe('/organizations');
});

test('the name is the server’s; that of the address is text and nothing else', async () => {
  const name = '<img src=x onerror=alert(1)>';
  renderConsole(`/organizations?token=SECRET&orgName=${encodeURIComponent(name)}`, {
    answers: { validateInvite: () => refuse(503, 'service_unavailable') },
  });
  await screen.findByText(name);
  expect(document.querySelector('img')).toBeNull();
});

test('the real name replaces a forged one', async () => {
  renderConsole('/organizations?token=SECRET&orgName=Your%20bank', {
    answers: {
      validateInvite: () => ({
        invitedUserEmail: 'a@example.com',
        userExists: true,
        organizationToJoin: { name: 'Real Works' },
      }),
    },
  });
  await screen.findByText('Real Works');
  expect(screen.queryByText('Your bank')).toBeNull();
});
