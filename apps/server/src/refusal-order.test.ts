import { type RouteName, routes } from '@pult/contract';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInto } from './access-matrix.sign-in.fixture.ts';
import { createApiAlone } from './api-alone.fixture.ts';
import { addToken, bearer } from './features/accounts/tokens/tokens.fixture.ts';
import { DomainError } from './platform/errors.ts';

/** A call that is wrong in many ways is refused for the first of them: each test takes the one of the test before away. */

let server: TestServer;
let viewer: TestUser;
let serialNumber: string;
let organizationId: string;
/** What is in the way of every call. */
let obstacles: { isFull: boolean; isFast: boolean; isUnconfirmed: boolean };
let isAdmitted: boolean;

beforeAll(async () => {
  server = await createTestServer();
  const owner = await server.createUser();
  organizationId = await server.createOrganization(owner, 'Fleet');
  viewer = await server.createUser();
  await server.addMember(organizationId, viewer, 'viewer');
  ({ serialNumber } = await createTestController(server, { organizationId }));
  await server.db
    .updateTable('organizations')
    .set({ totp_required: true })
    .where('id', '=', organizationId)
    .execute();
});
afterAll(() => server.close());

async function call(
  name: RouteName,
  headers: Record<string, string>,
  { params = {}, body }: { params?: Record<string, string>; body?: object } = {},
  inTheWay: Partial<typeof obstacles> = {},
): Promise<unknown> {
  obstacles = { isFull: false, isFast: false, isUnconfirmed: false, ...inTheWay };
  isAdmitted = false;
  const app = Fastify();
  const admitted = () => {
    isAdmitted = true;
  };
  createApiAlone(app, server, admitted, {
    requireRoom() {
      if (obstacles.isFull) throw new DomainError('storage_full');
    },
    async requireConfirmation() {
      if (obstacles.isUnconfirmed) throw new DomainError('totp_required');
    },
    ...(obstacles.isFast ? { writeRate: { burst: 0, perSecond: 1 } } : {}),
  });
  const { method, path } = routes[name];
  const answer = await app.inject({
    method,
    url: path.replace(/\{(\w+)\}/g, (_, key: string) => params[key] ?? ''),
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  });
  await app.close();
  if (isAdmitted) return 'admitted';
  return answer.json<{ code?: string }>().code ?? answer.statusCode;
}

const asViewer = () => ({ cookie: viewer.cookie, origin: server.publicUrl });
const everything = { isFull: true, isFast: true, isUnconfirmed: true };
const badName = { params: { serialNumber: '%20' }, body: { surprise: 1 } };
const badBody = () => ({ params: { serialNumber }, body: { surprise: 1 } });
const rightCall = () => ({ params: { serialNumber } });

it('first who calls is asked', async () => {
  expect(await call('deleteController', {}, badName, everything)).toBe('not_authenticated');
});

it('then what the token may', async () => {
  const token = bearer(await addToken(server, viewer, ['alerts.read']));
  expect(await call('deleteController', token, badName, everything)).toBe('token_scope_missing');
});

it('then whether it takes the account’s own login', async () => {
  const cookie = await signInto({ server }, { userId: viewer.id, organizationId });
  const headers = { cookie, origin: server.publicUrl };
  expect(await call('createBackup', headers, badName, everything)).toBe('own_login_required');
});

it('then whether it takes an administrator', async () => {
  expect(await call('createBackup', asViewer(), badName, everything)).toBe('administrator_required');
});

it('then whether there is room', async () => {
  expect(await call('deleteController', asViewer(), badName, everything)).toBe('storage_full');
});

it('then how much they have changed', async () => {
  const inTheWay = { ...everything, isFull: false };
  expect(await call('deleteController', asViewer(), badName, inTheWay)).toBe('too_many_changes');
});

it('then whether the path can name anything', async () => {
  const inTheWay = { isUnconfirmed: true };
  expect(await call('deleteController', asViewer(), badName, inTheWay)).toBe('controller_not_found');
});

it('then whether the body is as it should be', async () => {
  expect(await call('deleteController', asViewer(), badBody(), { isUnconfirmed: true })).toBe(400);
});

it('then whether they confirm it, before anybody learns what is there', async () => {
  const inTheWay = { isUnconfirmed: true };
  expect(await call('deleteController', asViewer(), rightCall(), inTheWay)).toBe('totp_required');
  const nowhere = { params: { serialNumber: 'NOWHERE' } };
  expect(await call('deleteController', asViewer(), nowhere, inTheWay)).toBe('totp_required');
});

it('then what the token may of what the body says besides, before anybody learns what is there', async () => {
  const token = bearer(await addToken(server, viewer, ['controllers.update']));
  const nowhere = { params: { serialNumber: 'NOWHERE' }, body: { group: null } };
  expect(await call('updateController', token, nowhere)).toBe('token_scope_missing');
  expect(await call('updateController', token, { ...nowhere, body: { description: '' } })).toBe(
    'controller_not_found',
  );
});

it('then whether they may enter the organization, and at last their role', async () => {
  expect(await call('deleteController', asViewer(), rightCall())).toBe('totp_setup_required');
  await server.db
    .updateTable('organizations')
    .set({ totp_required: false })
    .where('id', '=', organizationId)
    .execute();
  expect(await call('deleteController', asViewer(), rightCall())).toBe('role_forbidden');
  expect(await call('getController', asViewer(), rightCall())).toBe('admitted');
});
