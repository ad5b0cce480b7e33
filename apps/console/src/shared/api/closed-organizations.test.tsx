import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { isClosed, useIsClosed } from './closed-organizations.ts';
import { currentUserQuery, environmentsQuery } from './queries.ts';

const without = { totpEnabled: false };
const on = { TOTP_AUTH_ENABLED: true };

test('an organization that requires a second factor is closed to one who has none', () => {
  expect(isClosed({ totpRequired: true }, { user: without, environments: on })).toBe(true);
  expect(isClosed({ totpRequired: true }, { user: { totpEnabled: true }, environments: on })).toBe(false);
  expect(isClosed({ totpRequired: false }, { user: without, environments: on })).toBe(false);
});

test('an organization that requires a sign-in by its provider is closed to a login that is none', () => {
  const account = { user: { totpEnabled: true }, environments: on };
  expect(isClosed({ totpRequired: false, isSignInMissing: true }, account)).toBe(true);
  expect(isClosed({ totpRequired: false, isSignInMissing: false }, account)).toBe(false);
});

test('a second factor that the account has not closes nothing to a session of a provider, which may have had one', () => {
  const user = { totpEnabled: false, signedInto: 'one' };
  expect(isClosed({ totpRequired: true }, { user, environments: on })).toBe(false);
});

test('a server without second factors closes nothing', () => {
  const environments = { TOTP_AUTH_ENABLED: false };
  expect(isClosed({ totpRequired: true }, { user: without, environments })).toBe(false);
});

test('an organization is closed to the user of the page, as far as the page knows who that is and what the server has', () => {
  const client = new QueryClient({
    defaultOptions: { queries: { enabled: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const ask = () => renderHook(useIsClosed, { wrapper }).result.current({ totpRequired: true });
  expect(ask()).toBe(false);
  client.setQueryData(environmentsQuery.queryKey, on as never);
  expect(ask()).toBe(false);
  client.setQueryData(currentUserQuery.queryKey, without as never);
  expect(ask()).toBe(true);
  client.setQueryData(currentUserQuery.queryKey, { totpEnabled: true } as never);
  expect(ask()).toBe(false);
});
