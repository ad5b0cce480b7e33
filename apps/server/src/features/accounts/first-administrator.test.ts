import { readFile } from 'node:fs/promises';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { expect, it } from 'vitest';

async function logIn(server: TestServer, username: string, password: string) {
  const answer = await server.call('login', { body: { username, password } });
  return { status: answer.status, ...(answer.body as { access: string }) };
}

it('the first administrator is made once, with a password of its own and an organization', async () => {
  await using server = await createTestServer({ environment: { SERVICE_NAME: 'Вышка' } });
  const administrator = await server.server.createFirstAdministrator();
  expect(administrator).toEqual({ email: 'admin@example.com', firstLoginPath: expect.any(String) });
  const file = await readFile(administrator?.firstLoginPath ?? '', 'utf8');
  const [, password = ''] = /^Password: (.+)$/m.exec(file) ?? [];
  const { status, access } = await logIn(server, 'admin@example.com', password);
  expect(status).toBe(200);
  const headers = { authorization: `Bearer ${access}` };
  expect((await server.call('listOrganizations', { headers })).body).toMatchObject([
    { name: 'Вышка', userRole: 'owner' },
  ]);
  expect((await server.call('getCurrentUser', { headers })).body).toMatchObject({ isAdministrator: true });
  expect(await server.server.createFirstAdministrator()).toBeUndefined();
});

it('the first administrator has the configured email and password, and no file tells it then', async () => {
  await using server = await createTestServer({
    environment: { ADMIN_EMAIL: 'Boss@Example.com', ADMIN_PASSWORD: 'correct-horse-9-battery' },
  });
  expect(await server.server.createFirstAdministrator()).toEqual({ email: 'boss@example.com' });
  expect((await logIn(server, 'boss@example.com', 'correct-horse-9-battery')).status).toBe(200);
});

it('the first administrator is made by one of several servers that start at once', async () => {
  await using server = await createTestServer();
  const made = await Promise.all(Array.from({ length: 5 }, () => server.server.createFirstAdministrator()));
  expect(made.filter((administrator) => administrator !== undefined)).toHaveLength(1);
  expect(await server.db.selectFrom('users').select('email').execute()).toEqual([
    { email: 'admin@example.com' },
  ]);
  expect(await server.db.selectFrom('organizations').select('id').execute()).toHaveLength(1);
});

it('the first administrator is not made where there are users', async () => {
  await using server = await createTestServer();
  await server.createUser();
  expect(await server.server.createFirstAdministrator()).toBeUndefined();
});

it.each([
  ['princess', 'ADMIN_PASSWORD: This password is too common.'],
  ['boss@example.com', 'ADMIN_PASSWORD: The password may not be the email.'],
])('the first administrator is not made with the password %s', async (ADMIN_PASSWORD, message) => {
  await using server = await createTestServer({
    environment: { ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD },
  });
  await expect(server.server.createFirstAdministrator()).rejects.toThrow(message);
  expect(await server.db.selectFrom('users').select('id').execute()).toEqual([]);
  await server.createUser();
  expect(await server.server.createFirstAdministrator()).toBeUndefined();
});
