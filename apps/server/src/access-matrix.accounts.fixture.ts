import { type Route, type RouteName, routes } from '@pult/contract';
import { createTotpCode } from '@pult/testkit';
import type { CallOptions, TestUser } from '@pult/testkit/in-process';
import {
  type CallAsTwin,
  type Entry,
  type Matrix,
  ownAffair,
} from './access-matrix.organizations.fixture.ts';
import { createPasskeyEntries } from './access-matrix.passkeys.fixture.ts';
import { matrixTokenName, readToken } from './access-matrix.tokens.fixture.ts';
import { hashPassword } from './features/accounts/password.ts';
import { addToken } from './features/accounts/tokens/tokens.fixture.ts';
import { enableTotp, type TotpUser } from './features/accounts/totp-user.fixture.ts';
import { createId, createSecretToken, hashToken } from './platform/ids.ts';

const newPassword = 'set by the matrix 1';
const nothing = async (): Promise<CallOptions> => ({});

let sshKeys = 0;
/** A key of each caller's own. */
export function createPublicKey(): string {
  sshKeys += 1;
  const parts = ['ssh-ed25519', Buffer.alloc(32, `key ${sshKeys}`)].flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return [length, Buffer.from(part)];
  });
  return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')}`;
}

/** The calls about accounts: logging in, passwords, second factors, sessions, keys. */
export function createAccountEntries(matrix: () => Matrix, callAsTwin: CallAsTwin) {
  const deviceWish = { hostName: 'laptop', scopes: ['controllers.read'] };
  async function startDeviceLogin() {
    const { server } = matrix();
    // As many as the matrix wants, each from a network of its own.
    const answer = await server.request('POST', '/api/v1/auth/device/', {
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(deviceWish),
      remoteAddress: `10.0.${deviceLogins >> 8}.${deviceLogins++ & 255}`,
    });
    return answer.body as { deviceCode: string; userCode: string };
  }
  const prepareUserCode = async () => ({ body: { userCode: (await startDeviceLogin()).userCode } });
  let deviceLogins = 0;

  /** A call of one who has TOTP, and has confirmed what it asks for. */
  function callWithTotp(name: RouteName, bodyOf: (twin: TotpUser) => unknown = () => undefined) {
    return (options: CallOptions) =>
      callAsTwin(name, options, async (plain) => {
        const { server } = matrix();
        const twin = await enableTotp(server, plain);
        const { confirmation: scope }: Route = routes[name];
        if (scope) {
          const body = { scope, code: twin.code() };
          await server.call('verifyTotp', {
            headers: { cookie: twin.cookie, origin: server.publicUrl },
            body,
          });
        }
        return { twin, body: bodyOf(twin) };
      });
  }

  const addSshKey = (user: TestUser) =>
    matrix().server.call('addSshKey', { as: user, body: { name: 'Laptop', publicKey: createPublicKey() } });

  let newcomers = 0;
  const nextEmail = () => `newcomer${++newcomers}@example.com`;
  const inAnHour = () => new Date(matrix().server.clock.now().getTime() + 3600_000);

  /** A link to set a password, of a user whom no other call needs. */
  async function prepareReset(): Promise<{ uid: string; token: string }> {
    const { server } = matrix();
    const token = createSecretToken();
    const [uid, created_at] = [createId(), server.clock.now()];
    await server.db
      .insertInto('users')
      .values({ id: uid, email: nextEmail(), password_hash: '', locale: 'en', created_at })
      .execute();
    await server.db
      .insertInto('password_resets')
      .values({ id: uid, user_id: uid, token_hash: hashToken(token), created_at, expires_at: inAnHour() })
      .execute();
    return { uid, token };
  }

  /** Somebody who is invited to an organization that nothing else is about. */
  async function prepareSignUp() {
    const { server, members } = matrix();
    const [userEmail, token] = [nextEmail(), createSecretToken()];
    const [id, created_at] = [createId(), server.clock.now()];
    const organization_id = await server.createOrganization(members.owner, 'Elsewhere');
    await server.db
      .insertInto('invites')
      .values({
        id,
        organization_id,
        email: userEmail,
        role: 'viewer',
        token_hash: hashToken(token),
        invited_by: members.owner.id,
        created_at,
        expires_at: inAnHour(),
      })
      .execute();
    return { userEmail, userPassword: newPassword, organizationInviteToken: token };
  }

  async function preparePendingSignUp(): Promise<string> {
    const { server } = matrix();
    const token = createSecretToken();
    const [id, created_at] = [createId(), server.clock.now()];
    const password_hash = await hashPassword('correct horse');
    const pending = { id, email: nextEmail(), password_hash, locale: 'en' } as const;
    await server.db
      .insertInto('pending_sign_ups')
      .values({ ...pending, token_hash: hashToken(token), created_at, expires_at: inAnHour() })
      .execute();
    return token;
  }

  return {
    ...createPasskeyEntries(matrix, callAsTwin),
    login: {
      prepare: async () => {
        const { email: username, password } = matrix().members.owner;
        return { body: { username, password } };
      },
      outsider: ownAffair,
    },
    logout: {
      prepare: nothing,
      outsider: ownAffair,
      call: (options) => callAsTwin('logout', options, async (twin) => ({ twin })),
    },
    requestPasswordReset: {
      prepare: async () => ({ body: { email: nextEmail() } }),
      outsider: ownAffair,
    },
    confirmPasswordReset: {
      prepare: async () => ({ body: { ...(await prepareReset()), newPassword } }),
      outsider: ownAffair,
    },
    changePassword: {
      prepare: async () => ({ body: { oldPassword: matrix().members.owner.password, newPassword } }),
      outsider: ownAffair,
      call: (options) => callAsTwin('changePassword', options, async (twin) => ({ twin })),
    },
    setUpTotp: { prepare: nothing, outsider: ownAffair },
    activateTotp: {
      prepare: async () => ({ body: { code: '000000' } }),
      outsider: ownAffair,
      call: (options) =>
        callAsTwin('activateTotp', options, async (twin) => {
          const { body } = await matrix().server.call('setUpTotp', { as: twin });
          const { secret } = body as { secret: string };
          return { twin, body: { code: createTotpCode(secret, matrix().server.clock.now()) } };
        }),
    },
    disableTotp: { prepare: nothing, outsider: ownAffair, call: callWithTotp('disableTotp') },
    verifyTotp: {
      prepare: async () => ({ body: { scope: 'change_password', code: '000000' } }),
      outsider: ownAffair,
      call: callWithTotp('verifyTotp', (twin) => ({ scope: 'change_password', code: twin.code() })),
    },
    regenerateRecoveryCodes: {
      prepare: nothing,
      outsider: ownAffair,
      call: callWithTotp('regenerateRecoveryCodes'),
    },
    listSessions: { prepare: nothing, outsider: ownAffair },
    // The id of another's session ends nothing, which the owner's next call would notice.
    terminateSessions: {
      prepare: async () => {
        const sessions = matrix()
          .server.db.selectFrom('sessions')
          .select('id')
          .where('user_id', '=', matrix().members.owner.id);
        return { body: { sessions: (await sessions.execute()).map(({ id }) => id) } };
      },
      outsider: ownAffair,
      call: (options) => callAsTwin('terminateSessions', options, async (twin) => ({ twin })),
    },
    signUp: {
      prepare: async () => ({ body: await prepareSignUp() }),
      outsider: ownAffair,
    },
    confirmSignUp: {
      prepare: async () => ({ body: { token: await preparePendingSignUp(), password: 'correct horse' } }),
      outsider: ownAffair,
    },
    listSshKeys: {
      prepare: async () => {
        await addSshKey(matrix().members.owner);
        return {};
      },
      outsider: { shows: (body) => (body as unknown[]).length > 0 },
    },
    addSshKey: {
      prepare: async () => ({ body: { name: 'Laptop', publicKey: createPublicKey() } }),
      outsider: ownAffair,
      call: (options) => callAsTwin('addSshKey', options, async (twin) => ({ twin })),
    },
    certifySshKey: {
      prepare: async () => ({ body: { publicKey: createPublicKey() } }),
      outsider: ownAffair,
    },
    // One's own is deleted by any role; another's is not there.
    deleteSshKey: {
      prepare: async () => ({ params: { keyId: createId() } }),
      outsider: ownAffair,
      call: (options) =>
        callAsTwin('deleteSshKey', options, async (twin) => {
          const { body } = await addSshKey(twin);
          const { id } = body as { id: string };
          return { twin, params: { keyId: id } };
        }),
    },
    listTokens: {
      prepare: nothing,
      outsider: { shows: (body) => JSON.stringify(body).includes(matrixTokenName) },
    },
    startDeviceLogin: { prepare: async () => ({ body: deviceWish }), outsider: ownAffair },
    pollDeviceLogin: {
      prepare: async () => {
        const { deviceCode, userCode } = await startDeviceLogin();
        const { server, members } = matrix();
        const body = { userCode, scopes: deviceWish.scopes };
        await server.call('approveDeviceLogin', { as: members.owner, body });
        return { body: { deviceCode } };
      },
      outsider: ownAffair,
    },
    findDeviceLogin: { prepare: prepareUserCode, outsider: ownAffair },
    approveDeviceLogin: {
      prepare: async () => {
        const { body } = await prepareUserCode();
        return { body: { ...body, scopes: deviceWish.scopes } };
      },
      outsider: ownAffair,
    },
    denyDeviceLogin: { prepare: prepareUserCode, outsider: ownAffair },
    createToken: {
      prepare: async () => ({ body: { name: 'Script', scopes: ['tokens.manage'] } }),
      outsider: ownAffair,
      call: (options) => callAsTwin('createToken', options, async (twin) => ({ twin })),
    },
    deleteToken: {
      prepare: async () => ({ params: { tokenId: createId() } }),
      outsider: ownAffair,
      async call(options) {
        const { server } = matrix();
        if (readToken(options)) {
          // Another of the same owner.
          const body = { name: 'Doomed', scopes: ['tokens.manage'] };
          const made = await server.call('createToken', { ...options, params: {}, body });
          const { id = createId() } = made.body as { id?: string };
          return server.call('deleteToken', { ...options, params: { tokenId: id } });
        }
        return callAsTwin('deleteToken', options, async (twin) => {
          const { id } = await addToken(server, twin, ['controllers.read']);
          return { twin, params: { tokenId: id } };
        });
      },
    },
    getCurrentUser: { prepare: nothing, outsider: ownAffair },
    updateCurrentUser: { prepare: async () => ({ body: { locale: 'en' } }), outsider: ownAffair },
  } satisfies Record<string, Entry>;
}
