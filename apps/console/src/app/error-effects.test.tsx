import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { isAuthorized, setAuthorized } from '../shared/auth/authorization.ts';
import { clearBanner, getBanner } from '../shared/banner/banner.ts';
import { startI18n } from '../shared/i18n/i18n.ts';
import { paths } from '../shared/paths.ts';
import { Toasts } from '../shared/toasts/Toasts.tsx';
import { createErrorEffects } from './error-effects.ts';
import { resources } from './messages.ts';
import { parseSearch, stringifySearch } from './navigation/addresses.ts';
import type { Router } from './router.ts';

beforeEach(clearBanner);

/** An address of the console with nothing on its page but the toasts. */
async function open(address: string) {
  localStorage.setItem('locale', 'en');
  startI18n(resources);
  setAuthorized(true);
  render(<Toasts label="Notifications" />);
  const root = createRootRoute();
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: '$' })]),
    parseSearch,
    stringifySearch,
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await router.load();
  const onNavigation = vi.fn();
  router.subscribe('onBeforeNavigate', onNavigation);
  return {
    onNavigation,
    // Of the console's own it is the addresses that count here.
    effects: createErrorEffects(router as unknown as Router),
    place: () => [router.history.location.href, router.history.length],
  };
}

test('a session that has ended leads to login, which knows the way back', async () => {
  const { effects, place } = await open('/security');
  effects.setUnauthorized();
  effects.goToLogin();
  expect(isAuthorized()).toBe(false);
  await expect.poll(place).toEqual([paths.login({ redirect: '/security' }), 2]);
});

test('a refusal on the login page leaves its way back as it is', async () => {
  const address = paths.login({ redirect: '/security' });
  const { effects, place } = await open(address);
  effects.goToLogin();
  expect(place()).toEqual([address, 1]);
});

test.each([
  ['a page that may not be seen is replaced by the security page', '/organizations', 'page', 1],
  ['an action that is refused keeps the way back to where it was tried', '/organizations', 'action', 2],
  ['the security page stays as it is when it is the one refused', '/security', 'action', 1],
] as const)('%s, and the reason is told there', async (_, address, kind, entries) => {
  const { effects, place } = await open(address);
  effects.goToSecurity('No second factor', { kind });
  await expect.poll(() => getBanner()?.text).toBe('No second factor');
  expect(place()).toEqual(['/security', entries]);
});

test('the security page that is refused itself is not opened again, to be refused again', async () => {
  const { effects, onNavigation } = await open('/security');
  effects.goToSecurity('No second factor', { kind: 'page' });
  await expect.poll(() => getBanner()?.text).toBe('No second factor');
  expect(onNavigation).not.toHaveBeenCalled();
});

const id = '01890000-0000-7000-8000-000000000001';
const gone = 'Organization does not exist';

test.each([
  ['a page of it is left', `/organizations/${id}/controllers`, 'background', '/organizations'],
  ['its own page is left', `/organizations/${id}`, 'action', '/organizations'],
  ['a page that asked for it stays', '/security', 'page', '/security'],
] as const)('an organization that is gone is told to be, and %s', async (_, address, kind, then) => {
  const { effects, place } = await open(address);
  act(() => effects.leaveOrganization(id, { kind }));
  await screen.findByText(gone);
  await expect.poll(place).toEqual([then, 1]);
});

test.each(['/organizations', `/organizations/${id}0/controllers`])(
  'an organization that is gone is not told to be on %s, which only asked by itself',
  async (address) => {
    const { effects, place } = await open(address);
    act(() => {
      effects.leaveOrganization(id, { kind: 'background' });
      effects.showError('Something else');
    });
    await screen.findByText('Something else');
    expect(screen.queryByText(gone)).toBeNull();
    expect(place()).toEqual([address, 1]);
  },
);

test('what is refused twice is told once', async () => {
  const { effects } = await open('/organizations');
  act(() => {
    effects.showError('The disk is full.');
    effects.showError('The disk is full.');
  });
  expect(await screen.findAllByText('The disk is full.')).toHaveLength(1);
});
