import type { TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandFixture, createCommandFixture } from './command.fixture.ts';
import { commands, UsageError } from './commands.ts';

let fixture: CommandFixture;
let server: TestServer;

beforeAll(async () => {
  fixture = await createCommandFixture();
  ({ server } = fixture);
});
afterAll(() => fixture.close());
beforeEach(() => fixture.begin());

const run = (name: 'grant-admin' | 'revoke-admin' | 'list-admins', ...args: string[]) =>
  commands[`user ${name}`]?.run(args);

describe('the commands about administrators of the installation', () => {
  it('make an account one and take it away again, which a running server knows at the next call', async () => {
    const user = await server.createUser('boss@example.com');
    const ask = async () => {
      const me = await server.call('getCurrentUser', { as: user });
      const { status } = await server.call('getInstallation', { as: user });
      return [(me.body as { isAdministrator: boolean }).isAdministrator, status];
    };
    expect(await ask()).toEqual([false, 403]);
    await run('grant-admin', ' Boss@Example.com');
    expect(await ask()).toEqual([true, 200]);
    await run('list-admins');
    await run('revoke-admin', 'boss@example.com');
    expect(await ask()).toEqual([false, 403]);
    await run('list-admins');
    expect(fixture.printed().split('\n')).toEqual([
      'boss@example.com is an administrator of the installation now.',
      'boss@example.com',
      'boss@example.com is no administrator of the installation any more.',
      'Nobody is one now. Make one: npm run pult -- user grant-admin EMAIL',
      'There is none. Make one: npm run pult -- user grant-admin EMAIL',
      '',
    ]);
    const events = await server.db
      .selectFrom('audit_events')
      .select(['action', 'user_id', 'subject', 'address'])
      .where('action', 'in', ['administrator.granted', 'administrator.revoked'])
      .orderBy('id')
      .execute();
    const event = { user_id: user.id, subject: user.email, address: 'localhost' };
    expect(events).toEqual([
      { action: 'administrator.granted', ...event },
      { action: 'administrator.revoked', ...event },
    ]);
  });

  it('say where there is nothing to do', async () => {
    const { email } = await server.createUser();
    await expect(run('revoke-admin', email)).rejects.toThrow(`${email} is no administrator`);
    await run('grant-admin', email);
    await expect(run('grant-admin', email)).rejects.toThrow(`${email} is an administrator`);
    await expect(run('grant-admin', 'nobody@example.com')).rejects.toThrow('has no account');
    expect(() => run('grant-admin')).toThrow(UsageError);
    await expect(run('list-admins', 'all')).rejects.toThrow(UsageError);
  });
});
