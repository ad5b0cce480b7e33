import type { IdentityProvider } from '@pult/testkit';
import type { CallOptions } from '@pult/testkit/in-process';
import {
  type CallAsTwin,
  type Entry,
  type Matrix,
  ownAffair,
} from './access-matrix.organizations.fixture.ts';
import { createSecretToken, hashToken } from './platform/ids.ts';
import { createEncryptor, createId } from './testing.ts';

const issuer = 'https://id.example.com';

/** Somebody's login at a provider, as a sign-in leaves it. */
export async function addIdentity(
  { server: { db, clock } }: Pick<Matrix, 'server'>,
  { userId, organizationId }: { userId: string; organizationId: string | null },
): Promise<{ id: string; subject: string }> {
  const id = createId();
  const now = clock.now();
  await db
    .insertInto('identities')
    .values({
      ...{ id, user_id: userId, organization_id: organizationId, issuer, subject: id },
      ...{ email: null, groups: [], created_at: now, checked_at: now },
    })
    .execute();
  return { id, subject: id };
}

/** The cookie of a session that an organization's provider has opened. */
export async function signInto(
  matrix: Pick<Matrix, 'server'>,
  { userId, organizationId }: { userId: string; organizationId: string },
): Promise<string> {
  const { server } = matrix;
  const { id: identityId } = await addIdentity(matrix, { userId, organizationId });
  const token = createSecretToken();
  const now = server.clock.now();
  await server.db
    .insertInto('sessions')
    .values({
      id: createId(),
      user_id: userId,
      token_hash: hashToken(token),
      address: '127.0.0.1',
      user_agent: '',
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + 3_600_000),
      identity_id: identityId,
      checked_at: now,
    })
    .execute();
  return `pult_session=${token}`;
}

/** The calls about sign-in by identity providers; `peer` is the installation's. */
export function createSignInEntries(
  matrix: () => Matrix,
  callAsTwin: CallAsTwin,
  peer: () => IdentityProvider,
) {
  const outsider = 'organization_not_found';
  const nothing = async () => ({});
  const settings = createSignInSettingsEntries(() => matrix().organization);
  const atInstallation = async () => ({ params: { provider: 'installation' } });

  /** A browser whose provider has answered. */
  async function openSignIn(): Promise<string> {
    const { server } = matrix();
    const { id: userId } = await server.createUser();
    const { subject } = await addIdentity(matrix(), { userId, organizationId: null });
    const [id, token] = [createId(), createSecretToken()];
    const claims = {
      issuer,
      subject,
      email: null,
      isEmailVerified: false,
      groups: [],
      hasSecondFactor: false,
    };
    const answer = createEncryptor(server.secrets.encryptionKey).encrypt(
      JSON.stringify({ claims }),
      `sign-in ${id}`,
    );
    await server.db
      .insertInto('pending_sign_ins')
      .values({
        ...{
          id,
          token_hash: hashToken(token),
          organization_id: null,
          issuer: peer().issuer,
          client_id: 'pult',
        },
        ...{
          state_hash: hashToken(token),
          nonce: '',
          code_verifier: '',
          return_to: '/',
          answer,
          is_answered: true,
        },
        expires_at: new Date(server.clock.now().getTime() + 60_000),
      })
      .execute();
    return `pult_sign_in=${token}`;
  }

  const callOpen = (name: 'getOpenSignIn' | 'completeSignIn') => async (options: CallOptions) => {
    const own = await openSignIn();
    const { cookie } = options.headers ?? {};
    const headers = { ...options.headers, cookie: cookie === undefined ? own : `${cookie}; ${own}` };
    return matrix().server.call(name, { ...options, headers });
  };

  return {
    getSignInProvider: { prepare: atInstallation, outsider: ownAffair },
    beginSignIn: { prepare: async () => ({ ...(await atInstallation()), body: {} }), outsider: ownAffair },
    getOpenSignIn: { prepare: nothing, outsider: ownAffair, call: callOpen('getOpenSignIn') },
    completeSignIn: {
      prepare: async () => ({ body: {} }),
      outsider: ownAffair,
      call: callOpen('completeSignIn'),
    },
    listIdentities: { prepare: nothing, outsider: ownAffair },
    deleteIdentity: {
      prepare: async () => ({ params: { identityId: createId() } }),
      outsider: ownAffair,
      call: (options) =>
        callAsTwin('deleteIdentity', options, async (twin) => {
          const { id: identityId } = await addIdentity(matrix(), { userId: twin.id, organizationId: null });
          return { twin, params: { identityId } };
        }),
    },
    ...settings,
    setIdentityProvider: {
      async prepare() {
        await matrix().server.db.deleteFrom('rate_limits').execute();
        const { clientId, clientSecret } = peer();
        const body = { name: 'Corp', issuer: peer().issuer, clientId, clientSecret };
        return { ...(await settings.setIdentityProvider.prepare()), body };
      },
      outsider,
    },
  } satisfies Record<string, Entry>;
}

/** The calls about how people sign in to the organization; the provider is one that nobody has to ask. */
export function createSignInSettingsEntries(organization: () => string) {
  const outsider = 'organization_not_found';
  const withBody = (body?: object): Entry => ({
    prepare: async () => ({ params: { organizationId: organization() }, ...(body ? { body } : {}) }),
    outsider,
  });
  const provider = { name: 'Corp', issuer, clientId: 'pult', clientSecret: 'secret' };
  return {
    getSignInSettings: withBody(),
    setIdentityProvider: withBody(provider),
    deleteIdentityProvider: withBody(),
    requireSignIn: withBody({ isRequired: false }),
    getGroupGrants: withBody(),
    previewGroupGrants: withBody({ rules: [] }),
    setGroupGrants: withBody({ rules: [] }),
  } satisfies Record<string, Entry>;
}
