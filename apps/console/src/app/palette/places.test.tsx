import type { Role } from '@pult/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { organization } from '../../features/testing/fake-api.ts';
import { renderConsole } from '../../features/testing/render-console.tsx';
import { setPaletteOpened } from './palette-state.ts';

beforeEach(() => {
  // Not in the tests' browser.
  Element.prototype.scrollIntoView ??= () => undefined;
});
afterEach(() => setPaletteOpened(false));

async function find(
  text: string,
  { role = 'owner', locale = 'en' }: { role?: Role; locale?: 'en' | 'ru' } = {},
) {
  const mine = { ...organization, userRole: role };
  const view = renderConsole(`/organizations/${organization.id}/controllers`, {
    locale,
    answers: {
      listOrganizations: () => [mine],
      getOrganization: () => mine,
      search: () => ({ controllers: [], groups: [] }),
    },
  });
  await screen.findAllByRole('navigation');
  await screen.findByRole('heading', { level: 1 });
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  fireEvent.change(await screen.findByRole('combobox'), { target: { value: text } });
  return view;
}
const own = `/organizations/${organization.id}`;

test.each([
  ['enroll', 'Enrolment keys', `${own}/settings/enrolment-keys`],
  ['webhook', 'Webhooks', `${own}/settings/webhooks`],
  ['2FA', 'Second factor', '/security#totp'],
  ['api token', 'Tokens', '/security#tokens'],
  ['new rule', 'New alert rule', `${own}/settings/notifications`],
  ['invite', 'Invite or give access', `${own}/access?new=access`],
  ['service account', 'Access: service accounts', `${own}/access?kind=services`],
  ['guest links', 'Access: guest links', `${own}/access?kind=guests`],
  ['single', 'Sign-in by a provider', `${own}/settings/single-sign-on`],
  ['export', 'Settings: data', `${own}/settings/data`],
])('“%s” finds what is called %s, and leads there', async (text, label, destination) => {
  const { address } = await find(text);
  fireEvent.click(await screen.findByRole('option', { name: label }));
  await waitFor(() => expect(address()).toBe(destination));
});

test('other words find it in Russian, too', async () => {
  await find('интеграция', { locale: 'ru' });
  expect(await screen.findByRole('option', { name: 'Вебхуки' })).toBeTruthy();
});

test('a member finds nothing that only admins may do', async () => {
  await find('webhook', { role: 'member' });
  expect(await screen.findByText('Nothing found for “webhook”')).toBeTruthy();
  expect(screen.queryByRole('option')).toBeNull();
});
