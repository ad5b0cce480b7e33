import { createTestDevice, enrolTestDevice, type TestUser, tokenOf } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../platform/ssh-fingerprint.ts';
import { resetTotp } from '../accounts/index.ts';
import { confirm, giveSecondFactor } from '../organizations/second-factor.fixture.ts';
import {
  type AccessEndFixture,
  createAccessEndFixture,
  type LinkKind,
  type OpenAll,
} from './access-end.fixture.ts';

/**
 * Each way in which access ends, against everything that may be open, over real sockets: a
 * download, an upload, an event stream and a WebSocket of the web interface, a terminal with a file on its way, a raw
 * SSH stream, and a channel of the jump host.
 */

let t: AccessEndFixture;
beforeAll(async () => {
  t = await createAccessEndFixture();
});
afterAll(() => t.close());

const db = () => t.fixture.server.db;
const call: AccessEndFixture['fixture']['server']['call'] = (name, options) =>
  t.fixture.server.call(name, options);
const membershipOf = (user: TestUser) => ({
  as: t.fixture.owner,
  params: { organizationId: t.fixture.organization, userId: user.id },
});
const accepted = async (answer: Promise<{ status: number }>) =>
  expect((await answer).status).toBeLessThan(300);

async function setTotpRequired(totpRequired: boolean): Promise<void> {
  await giveSecondFactor(t.fixture.server, t.fixture.owner);
  await confirm(t.fixture.server, t.fixture.owner, 'change_org_totp');
  const params = { organizationId: t.fixture.organization };
  await accepted(call('updateOrganization', { as: t.fixture.owner, params, body: { totpRequired } }));
}

let groups = 0;
async function addGroup(): Promise<string> {
  groups += 1;
  const body = { name: `Part ${groups}`, organization: t.fixture.organization };
  const answer = await call('createGroup', { as: t.fixture.owner, body });
  return (answer.body as { id: string }).id;
}

let part: string;
/** Takes the user's role away, and gives them the part alone. */
async function giveOnlyPart(user: TestUser): Promise<void> {
  part = await addGroup();
  const params = { organizationId: t.fixture.organization };
  const body = { subject: { type: 'user', id: user.id }, scope: { type: 'group', id: part }, role: 'member' };
  await accepted(call('createGrant', { as: t.fixture.owner, params, body }));
  await db().deleteFrom('memberships').where('user_id', '=', user.id).execute();
}
const putIntoPart = (serialNumber: string) =>
  accepted(
    call('attachControllers', {
      as: t.fixture.owner,
      params: { groupId: part },
      body: { controllers: [serialNumber] },
    }),
  );

interface Ending {
  before?: (user: TestUser) => Promise<unknown>;
  place?: (serialNumber: string) => Promise<unknown>;
  act: (open: OpenAll) => Promise<unknown>;
  after?: () => Promise<unknown>;
  reason: string;
  /** Of what a key has opened, which is of no session; undefined where it goes on. */
  jumpReason: string | undefined;
}

const endings: Record<string, Ending> = {
  'the session logs out': {
    act: ({ user }) => accepted(call('logout', { as: user })),
    reason: 'logged_out',
    jumpReason: undefined,
  },
  'the session is ended on the security page': {
    async act({ user }) {
      const { body } = await call('login', { body: { username: user.email, password: user.password } });
      const other = { ...user, access: (body as { access: string }).access };
      const session = await db()
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', user.id)
        .orderBy('id')
        .executeTakeFirstOrThrow();
      await accepted(call('terminateSessions', { as: other, body: { sessions: [session.id] } }));
    },
    reason: 'session_ended',
    jumpReason: undefined,
  },
  'the user becomes a viewer': {
    act: ({ user }) => accepted(call('updateMember', { ...membershipOf(user), body: { role: 'viewer' } })),
    reason: 'role_changed',
    jumpReason: 'role_changed',
  },
  'the user is removed from the organization': {
    act: ({ user }) => accepted(call('removeMember', membershipOf(user))),
    reason: 'removed',
    jumpReason: 'removed',
  },
  'the user leaves the organization': {
    act: ({ user }) =>
      accepted(call('leaveOrganization', { as: user, params: { organizationId: t.fixture.organization } })),
    reason: 'removed',
    jumpReason: 'removed',
  },
  'the grant ends by which the user reaches them': {
    before: giveOnlyPart,
    place: putIntoPart,
    async act({ user }) {
      const params = { organizationId: t.fixture.organization };
      const { body } = await call('listGrants', { as: t.fixture.owner, params, query: { subject: user.id } });
      const [grant] = body as { id: string }[];
      await accepted(
        call('deleteGrant', { as: t.fixture.owner, params: { ...params, grantId: grant?.id ?? '' } }),
      );
    },
    reason: 'removed',
    jumpReason: 'removed',
  },
  'the time of the grant is over': {
    before: giveOnlyPart,
    place: putIntoPart,
    act: ({ user }) =>
      db()
        .updateTable('grants')
        .set({ ends_at: new Date(0) })
        .where('subject_user_id', '=', user.id)
        .execute(),
    reason: 'removed',
    jumpReason: 'removed',
  },
  'the controllers leave the part that the user has': {
    before: giveOnlyPart,
    place: putIntoPart,
    async act({ perDevice }) {
      const controllers = perDevice.map(({ device }) => device.serialNumber);
      await accepted(call('detachControllers', { as: t.fixture.owner, body: { controllers } }));
    },
    reason: 'role_changed',
    jumpReason: 'role_changed',
  },
  'the group of the controllers leaves the part that the user has': {
    async before(user) {
      await giveOnlyPart(user);
      const body = { parent: part, name: 'Below', organization: t.fixture.organization };
      const answer = await call('createGroup', { as: t.fixture.owner, body });
      part = (answer.body as { id: string }).id;
    },
    place: putIntoPart,
    act: () =>
      accepted(
        call('updateGroup', {
          as: t.fixture.owner,
          params: { groupId: part },
          body: { parent: null, name: `Moved ${part}` },
        }),
      ),
    reason: 'role_changed',
    jumpReason: 'role_changed',
  },
  'the devices of the controllers leave by themselves': {
    act: ({ perDevice }) =>
      db()
        .updateTable('controllers')
        .set({ enrolment_id: null, status: 'offline', status_reason: 'detached' })
        .where(
          'serial_number',
          'in',
          perDevice.map(({ device }) => device.serialNumber),
        )
        .execute(),
    reason: 'controller_offline',
    jumpReason: 'controller_offline',
  },
  'the user changes the password in this very session': {
    act: ({ user }) =>
      accepted(
        call('changePassword', {
          as: user,
          body: { oldPassword: user.password, newPassword: 'another-horse-staple-3' },
        }),
      ),
    reason: 'credentials_changed',
    jumpReason: 'credentials_changed',
  },
  'the second factor is reset on the server': {
    async before(user) {
      await giveSecondFactor(t.fixture.server, user);
      await confirm(t.fixture.server, user, 'add_ssh_key');
    },
    async act({ user }) {
      expect(await resetTotp({ db: db(), recordAudit: async () => {} }, user.email)).toBe('done');
    },
    reason: 'session_ended',
    jumpReason: 'credentials_changed',
  },
  'the organization begins to require a second factor that the user lacks': {
    act: () => setTotpRequired(true),
    after: () => setTotpRequired(false),
    reason: 'second_factor_required',
    jumpReason: 'second_factor_required',
  },
  'the controllers are deleted': {
    async act({ perDevice }) {
      await confirm(t.fixture.server, t.fixture.owner, 'delete_controller');
      for (const { device } of perDevice) {
        const { serialNumber } = device;
        await accepted(call('deleteController', { as: t.fixture.owner, params: { serialNumber } }));
      }
    },
    reason: 'controller_removed',
    jumpReason: 'controller_removed',
  },
  'the controllers come to another organization': {
    async act({ perDevice }) {
      const organization_id = await t.fixture.server.createOrganization(t.fixture.owner);
      for (const { device } of perDevice) {
        await db()
          .updateTable('controllers')
          .set({ organization_id })
          .where('serial_number', '=', device.serialNumber)
          .execute();
      }
    },
    reason: 'controller_removed',
    jumpReason: 'controller_removed',
  },
};

async function expectRefused({ perDevice }: OpenAll): Promise<void> {
  for (const { browser, device } of perDevice) {
    const answer = await browser.request(`${device.origin}/download`);
    answer.body.destroy();
    expect(answer.status).toBe(401);
  }
}

describe('when', () => {
  // What ends access knows no links: the first shows both, the others take turns.
  it.each(
    Object.entries(endings).map(([name, ending], index): [string, Ending, readonly LinkKind[]] => {
      const turn = index % 2 === 0 ? 'upgrade' : 'websocket';
      return [name, ending, index === 0 ? ['upgrade', 'websocket'] : [turn]];
    }),
  )('%s, all that is open ends within 2 s, and the history says why', async (_name, ending, links) => {
    const open = await t.openAll({ links, prepare: ending.before, place: ending.place });
    try {
      await ending.act(open);
      const withJump = ending.jumpReason !== undefined;
      const { told, milliseconds } = await open.ended({ withJump });
      expect(milliseconds).toBeLessThan(2_000);
      // The terminals say it to whoever sits before them; nothing else can.
      expect(told).toMatchObject(links.map(() => ({ code: 'access_ended' })));
      const onEach = (reason: string) => links.map(() => reason);
      expect(await open.reasons()).toEqual({
        http: onEach(ending.reason),
        terminal: onEach(ending.reason),
        ssh_stream: onEach(ending.reason),
        ssh_jump: onEach(ending.jumpReason ?? 'closed'),
      });
    } finally {
      await ending.after?.();
    }
  });

  it('the controllers are claimed with new keys of their agents, all that went to the old ones ends', async () => {
    const open = await t.openAll();
    for (const { device } of open.perDevice) {
      const reflashed = createTestDevice(device.serialNumber);
      const token = tokenOf(await enrolTestDevice(t.fixture.server, reflashed));
      const replace = fingerprintOf(device.publicKey);
      const body = { token, organization: t.fixture.organization, replace };
      await accepted(call('activateController', { as: t.fixture.owner, body }));
    }
    expect((await open.ended({ withJump: true })).milliseconds).toBeLessThan(2_000);
  });

  it('it was this access, what is new is refused at once', async () => {
    const open = await t.openAll();
    await endings['the user becomes a viewer']?.act(open);
    await expectRefused(open);
    await open.ended({ withJump: true });
  });

  it('another’s access ends, nothing is cut', async () => {
    const open = await t.openAll({ links: ['upgrade'] });
    const bystander = await t.fixture.addUser('member');
    await call('logout', { as: bystander });
    for (const { browser, device } of open.perDevice) {
      const answer = await browser.request(`${device.origin}/download`);
      answer.body.on('error', () => {});
      expect(answer.status).toBe(200);
    }
    expect(await open.reasons()).toEqual({});
    await call('logout', { as: open.user });
    await open.ended({ withJump: false });
  });

  it('the session reaches its end, its tunnels end', async () => {
    const open = await t.openAll({ links: ['websocket'] });
    const expires_at = new Date(t.fixture.server.clock.now().getTime() + 60_000);
    await db().updateTable('sessions').set({ expires_at }).where('user_id', '=', open.user.id).execute();
    t.fixture.server.clock.advance(60_000);
    await open.ended({ withJump: false });
    expect((await open.reasons()).terminal).toEqual(['session_ended']);
    await expectRefused(open);
  });

  // The last one: after it every access token so far is too old.
  it('12 hours are over, the tunnel ends', async () => {
    const open = await t.openAll({ links: ['upgrade'] });
    t.fixture.server.clock.advance(12 * 3600 * 1000 - 1);
    for (const { browser, device } of open.perDevice) {
      const answer = await browser.request(`${device.origin}/download`);
      answer.body.on('error', () => {});
      expect(answer.status).toBe(200);
    }
    t.fixture.server.clock.advance(1);
    await open.ended({ withJump: false });
    t.fixture.server.clock.advance(1_000);
    await expectRefused(open);
  });
});
