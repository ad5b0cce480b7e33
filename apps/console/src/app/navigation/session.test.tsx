import { QueryClient } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { organization } from '../../features/testing/fake-api.ts';
import { renderConsole } from '../../features/testing/render-console.tsx';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { setAuthorized } from '../../shared/auth/authorization.ts';
import { createCacheRules, followOtherTabs, watchUser } from './session.ts';

// Those of the tests before stay, for as long as a page would.
let ended = new AbortController();
beforeEach(() => {
  ended = new AbortController();
  const add = window.addEventListener.bind(window);
  vi.spyOn(window, 'addEventListener').mockImplementation(
    (type: string, listener: EventListenerOrEventListenerObject) =>
      add(type, listener, { signal: ended.signal }),
  );
});
afterEach(() => ended.abort());

const userOf = (id: string) => ({
  id,
  email: `${id}@example.com`,
  totpEnabled: false,
  hasRecoveryCodes: false,
  hasTotpRequiredOrg: false,
  isAdministrator: false,
  locale: 'en' as const,
});

function open() {
  let user = userOf('first');
  const app = renderConsole('/security', {
    answers: { getCurrentUser: () => user, listSessions: () => [], listOrganizations: () => [organization] },
  });
  const onAnother = vi.fn();
  const end = watchUser(app.queryClient, onAnother);
  followOtherTabs(app.router, app.queryClient);
  return {
    ...app,
    onAnother,
    end,
    become: (id: string) => {
      user = userOf(id);
    },
  };
}

const emit = (key: string) => window.dispatchEvent(new StorageEvent('storage', { key }));

test('another user who logged in in another tab is noticed, though the flag is as it was', async () => {
  const { become, onAnother } = open();
  await screen.findAllByText('first@example.com');
  become('second');
  emit('lastLoginAt');
  await waitFor(() => expect(onAnother).toHaveBeenCalledOnce());
});

test('the same user who logged in again is not another one', async () => {
  const { callsOf, onAnother } = open();
  await screen.findAllByText('first@example.com');
  const before = callsOf('getCurrentUser').length;
  emit('lastLoginAt');
  await waitFor(() => expect(callsOf('getCurrentUser').length).toBeGreaterThan(before));
  await waitFor(() => expect(screen.getAllByText('first@example.com').length).toBeGreaterThan(0));
  expect(onAnother).not.toHaveBeenCalled();
});

test('a user who is asked for anew is not another one meanwhile', () => {
  const [client, onAnother] = [new QueryClient(), vi.fn()];
  const end = watchUser(client, onAnother);
  const { queryKey } = currentUserQuery;
  client.setQueryData(queryKey, userOf('first'));
  client.getQueryCache().find({ queryKey })?.reset();
  client.setQueryData(queryKey, userOf('first'));
  expect(onAnother).not.toHaveBeenCalled();
  client.setQueryData(queryKey, userOf('second'));
  expect(onAnother).toHaveBeenCalledOnce();
  end();
});

test('a logout in another tab leads to the login', async () => {
  const { address, queryClient } = open();
  await screen.findAllByText('first@example.com');
  setAuthorized(false);
  emit('isAuthorized');
  await waitFor(() => expect(address()).toBe('/login?redirect=/security'));
  await waitFor(() => expect(JSON.stringify(queryClient.getQueryCache().getAll())).not.toContain('first'));
});

test('a login in another tab asks anew who the user is and nothing else, and a logout asks nothing', () => {
  const client = new QueryClient();
  const refetch = vi.spyOn(client, 'refetchQueries');
  const invalidate = vi.fn(async () => {});
  followOtherTabs({ invalidate }, client);
  setAuthorized(true);
  emit('lastLoginAt');
  expect(refetch.mock.calls).toEqual([[{ queryKey: queryKeys.currentUser }]]);
  setAuthorized(false);
  emit('isAuthorized');
  expect(invalidate).toHaveBeenCalledTimes(2);
  expect(refetch).toHaveBeenCalledOnce();
});

test('a login is told to the other tabs even when one follows another', () => {
  vi.useFakeTimers({ now: 1000 });
  setAuthorized(true);
  const first = localStorage.getItem('lastLoginAt');
  vi.setSystemTime(2000);
  setAuthorized(true);
  expect(localStorage.getItem('lastLoginAt')).not.toBe(first);
  vi.useRealTimers();
});

const keys = [
  queryKeys.environments,
  queryKeys.currentUser,
  queryKeys.organizations.list,
  queryKeys.controllers.detail('A1'),
  queryKeys.groups.tree({ organization_id: 'a' }),
];

function fill() {
  const client = new QueryClient();
  for (const key of keys) client.setQueryData([...key], 'cached');
  const left = () => keys.filter((key) => client.getQueryData([...key]) !== undefined);
  return { rules: createCacheRules(client), left };
}

// spec: 2.32
test('spec 2: another organization resets cached controllers, organizations and groups', () => {
  const { rules, left } = fill();
  rules.enterOrganization('one');
  expect(left()).toEqual(keys);
  rules.enterOrganization('one');
  expect(left()).toEqual(keys);
  rules.enterOrganization('two');
  expect(left()).toEqual([queryKeys.environments, queryKeys.currentUser]);
});

// spec: 2.34
test('spec 2: after a navigation without authorization all but the environments is reset', () => {
  const { rules, left } = fill();
  rules.afterNavigation(true);
  expect(left()).toEqual(keys);
  rules.afterNavigation(false);
  expect(left()).toEqual([queryKeys.environments]);
});
