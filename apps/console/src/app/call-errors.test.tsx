import {
  type FetchQueryOptions,
  QueryClientProvider,
  type QueryKey,
  type UseMutationResult,
} from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { useLogin, useSignUp } from '../features/accounts/queries.ts';
import {
  useActivateTotp,
  useChangePassword,
  useDisableTotp,
  useRegenerateRecoveryCodes,
  useSetUpTotp,
  useVerifyTotp,
} from '../features/accounts/security/queries.ts';
import { useCreateOrganization, validationQuery } from '../features/activation/queries.ts';
import { useRequestAgentUpdate, useRequestAgentUpdates } from '../features/agent-updates/queries.ts';
import {
  controllersCountQuery,
  controllersQuery,
  useDeleteController,
} from '../features/controllers/queries.ts';
import { diagnosticQuery, diagnosticsQuery, useRequestDiagnostic } from '../features/diagnostics/queries.ts';
import {
  groupsQuery,
  matchingCountQuery,
  useCreateGroup,
  useDeleteGroup,
  useMoveController,
  useUpdateGroup,
} from '../features/groups/queries.ts';
import { organizationCountQuery } from '../features/organizations/queries.ts';
import { useCompleteSignIn } from '../features/sign-in/queries.ts';
import { useSaveEndpoint } from '../features/tunnels/endpoints/queries.ts';
import { useEnter } from '../features/tunnels/guests/queries.ts';
import { openTunnelQuery } from '../features/tunnels/queries.ts';
import { type ErrorEffects, reportError } from '../shared/api/errors.ts';
import { createQueryClient } from '../shared/api/query-client.ts';
import { startI18n } from '../shared/i18n/i18n.ts';
import { resources } from './messages.ts';

beforeAll(() => startI18n(resources));

/** A call of the console itself, as its pages make it. */
type Call = (client: ReturnType<typeof createQueryClient>) => Promise<unknown>;

function mutate<Variables>(
  use: () => UseMutationResult<never, Error, Variables> | UseMutationResult<unknown, Error, Variables>,
  variables: NoInfer<Variables>,
): Call {
  return async (client) => {
    const wrapper = ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    );
    const { result } = renderHook(use, { wrapper });
    await act(() => result.current.mutateAsync(variables).catch(() => undefined));
  };
}

function read<Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>): Call {
  return (client) => client.fetchQuery({ ...query, retry: false }).catch(() => undefined);
}

/** What the page does when the call is answered so. */
async function refuse(call: Call, status: number, code?: string) {
  const body = { detail: 'Refused.', ...(code === undefined ? {} : { code }) };
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status, headers }));
  const effects = {
    setUnauthorized: vi.fn(),
    goToLogin: vi.fn(),
    goToSecurity: vi.fn(),
    showError: vi.fn(),
    leaveOrganization: vi.fn(),
    closeOrganization: vi.fn(),
    controllerDoesNotExist: (serialNumber: string) => serialNumber,
    serverUnreachable: () => 'unreachable',
  } satisfies ErrorEffects;
  const reports: Promise<void>[] = [];
  const client = createQueryClient((error, origin) => void reports.push(reportError(error, effects, origin)));
  await call(client);
  expect(reports).toHaveLength(1);
  await Promise.all(reports);
  return effects;
}

const login = mutate(useLogin, { username: 'a@example.com', password: 'wrong' });
const signUp = mutate(useSignUp, { email: 'a@example.com', password: 'short', inviteToken: undefined });
const deleteController = mutate(() => useDeleteController('A1'), undefined);
const verifyTotp = mutate(() => useVerifyTotp('change_password'), { code: '123456' });

const silent: { what: string; call: Call; status: number }[] = [
  { what: 'setting up TOTP', call: mutate(useSetUpTotp, undefined), status: 400 },
  { what: 'activating TOTP', call: mutate(useActivateTotp, '123456'), status: 400 },
  { what: 'disabling TOTP', call: mutate(useDisableTotp, undefined), status: 400 },
  { what: 'verifying TOTP', call: verifyTotp, status: 400 },
  { what: 'new recovery codes', call: mutate(useRegenerateRecoveryCodes, undefined), status: 400 },
  {
    what: 'the password change',
    call: mutate(useChangePassword, { oldPassword: 'a', newPassword: 'b' }),
    status: 400,
  },
  { what: '400 on login', call: login, status: 400 },
  { what: '401 on login', call: login, status: 401 },
  { what: '400 on sign-up', call: signUp, status: 400 },
  { what: '401 on sign-up', call: signUp, status: 401 },
  { what: 'the activation validate call', call: read(validationQuery('token')), status: 400 },
  { what: 'controllers-count', call: read(controllersCountQuery({})), status: 400 },
  { what: 'controllers-count of an organization', call: read(organizationCountQuery('o')), status: 400 },
  {
    what: 'controllers-count of the groups',
    call: read(matchingCountQuery({ organization_id: 'o' })),
    status: 400,
  },
  { what: 'groups', call: read(groupsQuery({ organization_id: 'o' })), status: 404 },
  { what: 'a new group', call: mutate(() => useCreateGroup('o'), { name: 'a', parent: null }), status: 400 },
  { what: 'an update of a group', call: mutate(useUpdateGroup, { groupId: 'g', name: 'a' }), status: 404 },
  { what: 'the deletion of a group', call: mutate(useDeleteGroup, 'g'), status: 409 },
  { what: 'a move into a group', call: mutate(() => useMoveController('A1'), 'g'), status: 404 },
];
// spec: 8.05, 8.06
test.each(silent)('spec 8: no toast for $what', async ({ call, status }) => {
  expect((await refuse(call, status)).showError).not.toHaveBeenCalled();
});

test.each([
  ['a list', read(controllersQuery({}))],
  ['a new organization', mutate(useCreateOrganization, 'a')],
])('spec 8: a toast for another refusal: %s', async (_, call) => {
  expect((await refuse(call, 400)).showError).toHaveBeenCalledExactlyOnceWith('Refused');
});

test('spec 8: a throttled login has its toast', async () => {
  expect((await refuse(login, 429)).showError).toHaveBeenCalledOnce();
});

// spec: 8.01
test('spec 8: 401 of the token call stays on the login page, without a toast', async () => {
  const { setUnauthorized, goToLogin, showError } = await refuse(login, 401, 'invalid_credentials');
  for (const effect of [setUnauthorized, goToLogin, showError]) expect(effect).not.toHaveBeenCalled();
});

// spec: 6.04, 8.02
test('spec 8: 403 of a TOTP call does not go to the security page', async () => {
  const { goToSecurity, showError } = await refuse(verifyTotp, 403);
  expect(goToSecurity).not.toHaveBeenCalled();
  expect(showError).not.toHaveBeenCalled();
});

// spec: 6.04, 8.02
test('spec 8: 403 of a controller deletion does not go to the security page', async () => {
  const { goToSecurity, showError } = await refuse(deleteController, 403, 'role_forbidden');
  expect(goToSecurity).not.toHaveBeenCalled();
  expect(showError).toHaveBeenCalledExactlyOnceWith('Refused');
});

const saveService = mutate(() => useSaveEndpoint('A1', undefined), {
  port: 1883,
  name: 'Broker',
  scheme: 'http',
  hostHeader: null,
});
const openService = read(openTunnelQuery('A1', '1883'));

// spec: 8.02
test.each([
  ['a sign-in by a provider', mutate(useCompleteSignIn, {}), 'sign_in_without_rights'],
  ['a guest', mutate(useEnter, { token: 't', pin: '12345678' }), 'guest_pin_wrong'],
  ['the count of an organization that has closed', read(organizationCountQuery('o')), 'totp_setup_required'],
  ['a service on a reserved port', saveService, 'port_reserved'],
  ['a tunnel to a reserved port', openService, 'port_reserved'],
] as const)(
  'spec 8: 403 beyond the specification leads nobody to the security page: %s',
  async (_, call, code) => {
    expect((await refuse(call, 403, code)).goToSecurity).not.toHaveBeenCalled();
  },
);

// spec: 8.02
test.each([
  ['a service', saveService],
  ['a tunnel to a service', openService],
  ['a tunnel', read(openTunnelQuery('A1', 'http'))],
  ['an update of an agent', mutate(() => useRequestAgentUpdate('A1'), {})],
  ['updates of agents', mutate(useRequestAgentUpdates, { controllers: ['A1'] })],
])('spec 8: 403 by a weak role leads to the security page, with the reason: %s', async (_, call) => {
  const { goToSecurity, showError } = await refuse(call, 403, 'role_forbidden');
  expect(goToSecurity).toHaveBeenCalledExactlyOnceWith('Refused', expect.anything());
  expect(showError).not.toHaveBeenCalled();
});

// spec: 8.07
test.each([
  ['getDiagnostic', read(diagnosticQuery('A1'))],
  ['listDiagnostics', read(diagnosticsQuery('A1'))],
  ['requestDiagnostic', mutate(() => useRequestDiagnostic('A1'), undefined)],
] as const)('spec 8: a failed call about diagnostics is swallowed: %s', async (_, call) => {
  for (const status of [400, 404, 409, 500]) {
    expect((await refuse(call, status)).showError, String(status)).not.toHaveBeenCalled();
  }
});
