import { createTestServer, type TestMail, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordStatements } from '../../platform/db/record-statements.fixture.ts';

let server: TestServer;
const password = 'a good password 7';
let emails = 0;
let email: string;

beforeAll(async () => {
  server = await createTestServer({ environment: { IS_ON_PREMISE: 'false' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('rate_limits').execute();
  emails += 1;
  email = `newcomer${emails}@example.com`;
});

const signUp = (body: object = {}, headers: Record<string, string> = {}, on = server) =>
  on.call('signUp', { body: { userEmail: email, userPassword: password, ...body }, headers });
const logIn = (userPassword = password) =>
  server.call('login', { body: { username: email, password: userPassword } });
const mailsTo = async (address = email) => (await server.readMails()).filter(({ to }) => to === address);
const tokenOf = (mail: TestMail | undefined) =>
  /\/signup\/confirm\/([^/]+)\/$/.exec(mail?.action?.url ?? '')?.[1];
const confirm = (token: string | undefined, chosen = password) =>
  server.call('confirmSignUp', { body: { token, password: chosen } });
/** Signs up and opens the mail. */
async function getToken(): Promise<string | undefined> {
  await signUp();
  return tokenOf((await mailsTo()).at(-1));
}
const usersOf = (address = email) =>
  server.db.selectFrom('users').selectAll().where('email', '=', address).execute();
const invalid = { status: 400, body: { code: 'signup_token_invalid' } };

describe('signing up where everybody may', () => {
  // spec: 1.03, 7.43
  it('mails a link, and the account works after it', async () => {
    const answer = await signUp({ userEmail: ` ${email.toUpperCase()}` }, { 'accept-language': 'ru' });
    expect(answer).toMatchObject({ status: 201, body: { email } });
    expect(answer.headers['set-cookie']).toBeUndefined();
    const [mail] = await mailsTo();
    expect(mail).toMatchObject({ kind: 'sign-up', subject: 'Подтвердите почту — Pult' });
    expect(mail?.action?.url).toMatch(/^http:\/\/localhost:8080\/signup\/confirm\/[\w-]{43}\/$/);
    expect(await logIn()).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    const confirmed = await confirm(tokenOf(mail));
    expect(confirmed).toMatchObject({ status: 200, body: { email } });
    expect(confirmed.headers['set-cookie']).toBeUndefined();
    expect((await logIn()).status).toBe(200);
  });

  it('signing up where everybody may is of one account in both spellings of a domain, with mail to its ASCII', async () => {
    const ascii = `anna${emails}@xn--e1afmkfd.xn--p1ai`;
    email = `Anna${emails}@Пример.рф`;
    expect(await signUp()).toMatchObject({ status: 201, body: { email: ascii } });
    const [mail] = await mailsTo(ascii);
    await confirm(tokenOf(mail));
    expect(await usersOf(ascii)).toHaveLength(1);
    expect((await logIn()).status).toBe(200);
    email = ascii;
    expect((await logIn()).status).toBe(200);
    await signUp();
    expect((await mailsTo(ascii)).map(({ kind }) => kind)).toEqual(['sign-up-known']);
  });

  it('signing up where everybody may is confirmed by who knows the password alone, in ten tries an hour', async () => {
    const token = await getToken();
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => confirm(token, `a guess ${index}`)),
    );
    const wrong = guesses.filter(({ status }) => status === 400);
    expect(wrong.map(({ body }) => body)).toEqual(Array(10).fill({ password: ['Wrong password.'] }));
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(10);
    expect(await usersOf()).toEqual([]);
    server.clock.advance(3600 * 1000);
    expect((await confirm(token)).status).toBe(200);
    expect((await logIn()).status).toBe(200);
  });

  it('keeps the language of the request for the mails to come', async () => {
    await signUp({}, { 'accept-language': 'ru' });
    await confirm(tokenOf((await mailsTo())[0]));
    expect(await usersOf()).toMatchObject([{ locale: 'ru' }]);
  });

  it('signing up where everybody may is recorded, and the link’s mail is gone', async () => {
    await confirm(await getToken());
    const [user] = await usersOf();
    const events = await server.db
      .selectFrom('audit_events')
      .select(['action', 'user_id', 'address'])
      .where('subject', '=', email)
      .execute();
    expect(events).toEqual([{ action: 'user.created', user_id: user?.id, address: '127.0.0.1' }]);
    expect(await mailsTo()).toEqual([]);
  });

  it('answers an existing email as a new one, and tells its owner by mail', async () => {
    const owner = await server.createUser();
    const known = await signUp({ userEmail: owner.email });
    const unknown = await signUp();
    expect(known).toMatchObject({ status: 201, body: { email: owner.email } });
    expect(unknown).toMatchObject({ status: 201, body: { email } });
    expect(Object.keys(known.headers).sort()).toEqual(Object.keys(unknown.headers).sort());
    const mails = await mailsTo(owner.email);
    expect(mails).toMatchObject([{ kind: 'sign-up-known', subject: 'You have an account already – Pult' }]);
    expect(mails[0]?.action?.url).toBe('http://localhost:8080/login');
    const login = await server.call('login', { body: { username: owner.email, password: owner.password } });
    expect(login.status).toBe(200);
  });

  it('asks the same of the database for both', async () => {
    const owner = await server.createUser();
    const unknown = await recordStatements(() => signUp());
    const known = await recordStatements(() => signUp({ userEmail: owner.email }));
    expect(known.length).toBeGreaterThan(4);
    expect(known).toEqual(unknown);
  });

  it.each<Record<string, string>>([
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { forwarded: 'host=evil.example' },
  ])('makes its link without a look at %j', async (headers) => {
    await signUp({}, headers);
    expect(JSON.stringify(await mailsTo())).not.toContain('evil');
    expect((await confirm(tokenOf((await mailsTo())[0]))).status).toBe(200);
  });

  it('makes one user of two confirmations at once', async () => {
    const [first, second] = [await getToken(), await getToken()];
    const answers = await Promise.all([first, first, second, second].map((token) => confirm(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(await usersOf()).toHaveLength(1);
  });

  it('ends with the account: no other link of the email makes another', async () => {
    const [first, second] = [await getToken(), await getToken()];
    expect((await confirm(first)).status).toBe(200);
    expect(await confirm(second)).toMatchObject(invalid);
    expect(await confirm(first)).toMatchObject(invalid);
  });

  it('makes no account where there is one meanwhile', async () => {
    const token = await getToken();
    const owner = await server.createUser(email);
    expect(await confirm(token)).toMatchObject(invalid);
    expect((await logIn(owner.password)).status).toBe(200);
    expect((await logIn()).status).toBe(401);
  });

  it('works for a day', async () => {
    const token = await getToken();
    server.clock.advance(24 * 3600_000 - 1);
    expect((await confirm(token)).status).toBe(200);
    email = `late-${email}`;
    const late = await getToken();
    server.clock.advance(24 * 3600_000);
    expect(await confirm(late)).toMatchObject(invalid);
    await server.server.jobs.find(({ name }) => name === 'delete-expired-sign-ups')?.run();
    await server.server.jobs.find(({ name }) => name === 'forget-deliveries')?.run();
    const pending = await server.db.selectFrom('pending_sign_ups').select('email').execute();
    expect(pending.map((row) => row.email)).not.toContain(email);
    expect(await mailsTo()).toEqual([]);
  });

  it('stores neither token nor password as they are', async () => {
    const token = (await getToken()) ?? '';
    const stored = JSON.stringify(await server.db.selectFrom('pending_sign_ups').selectAll().execute());
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(password);
    expect(token).toHaveLength(43);
  });

  it('signing up where everybody may is refused after five times of one email and 20 of all from a network in an hour', async () => {
    const own: number[] = [];
    for (let time = 0; time < 6; time += 1) own.push((await signUp()).status);
    expect(own).toEqual([201, 201, 201, 201, 201, 429]);
    await server.db.deleteFrom('rate_limits').execute();
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, index) => signUp({ userEmail: `crowd${emails}-${index}@example.com` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
  });

  it.each([
    [{ userPassword: 'password1' }, 'userPassword', 'This password is too common.'],
    [
      { userPassword: 'newcomer@example.com', userEmail: 'Newcomer@example.com' },
      'userPassword',
      'The password may not be the email.',
    ],
    [{ userPassword: { length: 9 } }, 'userPassword', 'A string is expected.'],
    [{ userEmail: ['a@example.com'] }, 'userEmail', 'A string is expected.'],
    [{ userEmail: { a: 1 } }, 'userEmail', 'A string is expected.'],
    [{ userEmail: 'nobody' }, 'userEmail', 'Check the address: it should look like name@example.com.'],
    [{ role: 'owner' }, 'role', 'Unknown field.'],
  ])('takes no %j', async (body, field, message) => {
    expect(await signUp(body)).toMatchObject({ status: 400, body: { [field]: [message] } });
  });

  it('signing up where everybody may is refused to a page of another origin', async () => {
    const foreign = { origin: 'https://evil.example' };
    expect((await signUp({}, foreign)).body).toMatchObject({ code: 'origin_forbidden' });
    const answer = await server.call('confirmSignUp', {
      body: { token: await getToken(), password },
      headers: foreign,
    });
    expect(answer.body).toMatchObject({ code: 'origin_forbidden' });
  });
});

describe('signing up on a server of one’s own', () => {
  it('signing up on a server of one’s own is by invite only', async () => {
    await using local = await createTestServer();
    expect(await signUp({}, {}, local)).toMatchObject({
      status: 400,
      body: { code: 'signup_by_invite_only' },
    });
    expect(await local.db.selectFrom('pending_sign_ups').selectAll().execute()).toEqual([]);
  });
});

describe('signing up by an invite', () => {
  const hasAccount = 'An account with this email exists already. Log in to it.';
  let owner: TestUser;
  let organization: string;
  beforeAll(async () => {
    owner = await server.createUser();
    organization = await server.createOrganization(owner, 'Heating');
  });
  const inviteToken = async () => {
    const params = { organizationId: organization };
    const answer = await server.call('inviteUser', { as: owner, params, body: { email, role: 'viewer' } });
    return (answer.body as { inviteUrl: string }).inviteUrl.split('?token=')[1];
  };
  const rolesOf = () =>
    server.db
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select(['organization_id', 'role'])
      .where('email', '=', email)
      .execute();
  beforeEach(async () => {
    const { access } = (
      await server.call('login', { body: { username: owner.email, password: owner.password } })
    ).body as { access: string };
    owner = { ...owner, access };
  });

  // spec: 7.43
  it('makes an account that works at once, as a member', async () => {
    const answer = await signUp(
      { organizationInviteToken: await inviteToken() },
      { 'accept-language': 'ru' },
    );
    expect(answer).toMatchObject({ status: 201, body: { email } });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await logIn()).status).toBe(200);
    expect(await rolesOf()).toEqual([{ organization_id: organization, role: 'viewer' }]);
    const events = await server.db
      .selectFrom('audit_events')
      .select('action')
      .where('subject', '=', email)
      .where('action', 'in', ['user.created', 'member.joined'])
      .orderBy('id')
      .execute();
    expect(events.map(({ action }) => action)).toEqual(['user.created', 'member.joined']);
  });

  it('signing up by an invite is for the invited email only', async () => {
    const organizationInviteToken = await inviteToken();
    const answer = await signUp({ organizationInviteToken, userEmail: 'thief@example.com' });
    expect(answer).toMatchObject({ status: 400, body: { userEmail: ['Another email was invited.'] } });
    expect(await usersOf('thief@example.com')).toEqual([]);
    expect((await signUp({ organizationInviteToken })).status).toBe(201);
  });

  it('signing up by an invite is refused with a token that is none, and makes no account', async () => {
    const answer = await signUp({ organizationInviteToken: 'A'.repeat(43) });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invite_invalid' } });
    expect(await usersOf()).toEqual([]);
  });

  it('says that there is an account already, and keeps the invite for it', async () => {
    const organizationInviteToken = await inviteToken();
    const known = await server.createUser(email);
    // Whatever the password is: it is not the one to log in with.
    for (const userPassword of [password, 'password1']) {
      const answer = await signUp({ organizationInviteToken, userPassword });
      expect(answer).toMatchObject({ status: 400, body: { userEmail: [hasAccount] } });
    }
    const accepted = await server.call('acceptInvite', { as: known, body: { organizationInviteToken } });
    expect(accepted.status).toBe(200);
  });

  it('happens once of five at the same time', async () => {
    const organizationInviteToken = await inviteToken();
    const answers = await Promise.all(Array.from({ length: 5 }, () => signUp({ organizationInviteToken })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
    // The token is taken by then, or the email is.
    const late = answers.filter(({ status }) => status === 400);
    const reasons = late.map(({ body }) => body as { code?: string; userEmail?: string[] });
    for (const { code, userEmail = [code] } of reasons)
      expect(['invite_invalid', hasAccount]).toContain(userEmail[0]);
    expect(await usersOf()).toHaveLength(1);
    expect(await rolesOf()).toHaveLength(1);
  });

  it('leaves no account behind when the invite is revoked at that moment', async () => {
    const organizationInviteToken = await inviteToken();
    const [answer] = await Promise.all([
      signUp({ organizationInviteToken }),
      server.db.deleteFrom('invites').where('email', '=', email).execute(),
    ]);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invite_invalid' } });
    expect(await usersOf()).toEqual([]);
  });

  it('refuses a common password and keeps the invite', async () => {
    const organizationInviteToken = await inviteToken();
    expect(await signUp({ organizationInviteToken, userPassword: 'password1' })).toMatchObject({
      status: 400,
      body: { userPassword: ['This password is too common.'] },
    });
    expect((await signUp({ organizationInviteToken })).status).toBe(201);
  });

  it('leaves no open sign-up of the email behind', async () => {
    const token = await getToken();
    expect((await signUp({ organizationInviteToken: await inviteToken() })).status).toBe(201);
    expect(await confirm(token)).toMatchObject(invalid);
  });
});
