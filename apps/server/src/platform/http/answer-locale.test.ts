import { randomUUID } from 'node:crypto';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await createTestServer();
  user = await server.createUser();
});
afterAll(() => server.close());

async function ask(path: string, header: string) {
  const { status, body } = await server.request('GET', path, {
    headers: { authorization: `Bearer ${user.access}`, 'accept-language': header },
  });
  return [status, body];
}
async function store(locale: 'ru' | 'en') {
  await server.db.updateTable('users').set({ locale }).where('id', '=', user.id).execute();
}

// spec: 7.03
it.each([
  [`/api/v1/download/${randomUUID()}`, 404, /^[А-Я]/, /^[A-Z]/],
  [`/api/v1/events/?organization_id=${randomUUID()}`, 404, /^[А-Я]/, /^[A-Z]/],
])('a link and the event stream are answered in the stored language: %s', async (path, status, ru, en) => {
  await store('ru');
  expect(await ask(path, 'en')).toEqual([
    status,
    expect.objectContaining({ detail: expect.stringMatching(ru) }),
  ]);
  await store('en');
  expect(await ask(path, 'ru')).toEqual([
    status,
    expect.objectContaining({ detail: expect.stringMatching(en) }),
  ]);
});

const links = [`/api/v1/download/${randomUUID()}`, `/api/v1/events/?organization_id=${randomUUID()}`];

// spec: 7.03
it.each(links)(
  'spec 7: the language that the console has stored in a browser is that of %s',
  async (path) => {
    const tell = async (locale: string) => {
      const cookie = `${user.cookie}; pult_locale=${locale}`;
      const { body } = await server.request('GET', path, { headers: { cookie, 'accept-language': 'de' } });
      return (body as { detail: string }).detail;
    };
    for (const stored of ['ru', 'en'] as const) {
      await store(stored);
      expect(await tell('ru')).toMatch(/^[А-Я]/);
      expect(await tell('en')).toMatch(/^[A-Z]/);
      // No language of ours: that of the login.
      expect(await tell('xx')).toMatch(stored === 'ru' ? /^[А-Я]/ : /^[A-Z]/);
    }
  },
);

it('what is wrong with the address of a link is told in the stored language', async () => {
  await store('ru');
  expect(await ask('/api/v1/controllers-export/?status=up', 'en')).toEqual([
    400,
    { status: [expect.stringMatching(/[а-я]/)] },
  ]);
});

it('a call that a page makes is answered in the language of its header', async () => {
  await store('ru');
  expect(await ask('/api/v1/controllers/NONE1/', 'en')).toEqual([
    404,
    expect.objectContaining({ detail: 'Controller NONE1 does not exist.' }),
  ]);
});

it('a link without a login has only its header to go by', async () => {
  const { body } = await server.request('GET', `/api/v1/download/${randomUUID()}`, {
    headers: { 'accept-language': 'en' },
  });
  expect(body).toMatchObject({ code: 'not_authenticated', detail: expect.stringMatching(/^[A-Z]/) });
});
