import { type GrantRole, permissionNames, type RouteName } from '@pult/contract';
import { createPublicKey } from './access-matrix.accounts.fixture.ts';
import type { Entry, Matrix } from './access-matrix.organizations.fixture.ts';
import { bearer } from './features/accounts/tokens/tokens.fixture.ts';
import { createServiceAccount, grantService } from './features/service-accounts/service-accounts.fixture.ts';
import { createId } from './platform/ids.ts';

/** A token of all scopes of a new service account with this role at a place, the whole organization without one. */
export async function createMatrixService(
  { server, organization, members: { owner } }: Matrix,
  role: GrantRole,
  groupId?: string,
): Promise<Record<string, string>> {
  const account = await createServiceAccount(server, owner, organization);
  await grantService(server, account.id, { organizationId: organization, role, groupId });
  return bearer(await account.addToken(permissionNames));
}

/** The calls about service accounts, their tokens and keys. */
export function createServiceAccountEntries(matrix: () => Matrix) {
  const outsider = 'organization_not_found';
  const atOrganization = () => ({ organizationId: matrix().organization });
  const addAccount = async () => {
    const { server, organization, members } = matrix();
    // So that neither the limit of an organization is reached, nor what one person may add in an hour.
    await server.db.deleteFrom('users').where('email', '=', 'Of one call').execute();
    await server.db.deleteFrom('rate_limits').execute();
    return createServiceAccount(server, members.owner, organization, 'Of one call');
  };
  const atAccount = async () => ({ ...atOrganization(), accountId: (await addAccount()).id });

  return {
    listServiceAccounts: { prepare: async () => ({ params: atOrganization() }), outsider },
    createServiceAccount: {
      prepare: async () => ({ params: atOrganization(), body: { name: createId() } }),
      outsider,
    },
    deleteServiceAccount: { prepare: async () => ({ params: await atAccount() }), outsider },
    listServiceAccountTokens: { prepare: async () => ({ params: await atAccount() }), outsider },
    createServiceAccountToken: {
      prepare: async () => ({
        params: await atAccount(),
        body: { name: 'Script', scopes: ['tokens.manage'] },
      }),
      outsider,
    },
    deleteServiceAccountToken: {
      async prepare() {
        const account = await addAccount();
        const { id: tokenId } = await account.addToken(['controllers.read']);
        return { params: { ...atOrganization(), accountId: account.id, tokenId } };
      },
      outsider,
    },
    listServiceAccountKeys: { prepare: async () => ({ params: await atAccount() }), outsider },
    addServiceAccountKey: {
      prepare: async () => ({
        params: await atAccount(),
        body: { name: 'Runner', publicKey: createPublicKey() },
      }),
      outsider,
      // The matrix asks more than once with what it has prepared.
      call: (options) => {
        const body = { ...(options.body as object), publicKey: createPublicKey() };
        return matrix().server.call('addServiceAccountKey', { ...options, body });
      },
    },
    deleteServiceAccountKey: {
      async prepare() {
        const account = await addAccount();
        const { id: keyId } = await account.addKey(createPublicKey());
        return { params: { ...atOrganization(), accountId: account.id, keyId } };
      },
      outsider,
    },
  } satisfies Partial<Record<RouteName, Entry>>;
}
