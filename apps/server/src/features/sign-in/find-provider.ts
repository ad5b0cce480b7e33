import type { Core } from '../../platform/core.ts';
import type { Provider } from './provider.ts';
import type { ProvidersRepository, StoredProvider } from './providers.repository.ts';

/** The context under which the secret of an organization's client is encrypted. */
const contextOf = (organizationId: string) => `client secret of ${organizationId}`;

export interface Providers {
  /** Of the organization, or of the installation; undefined where there is none, or its secret cannot be read. */
  find(organizationId: string | undefined): Promise<Provider | undefined>;
  /** That of the installation. */
  readonly own: Provider | undefined;
  open(stored: StoredProvider): Provider | undefined;
  encryptSecret(organizationId: string, clientSecret: string): Buffer;
}

export function createProviders(
  { config: { oidc }, encryptor }: Core,
  { repository }: { repository: ProvidersRepository },
): Providers {
  const own: Provider | undefined = oidc.provider && { organizationId: undefined, ...oidc.provider };

  function open(stored: StoredProvider): Provider | undefined {
    const { organizationId } = stored;
    try {
      const clientSecret = encryptor.decrypt(stored.clientSecret, contextOf(organizationId));
      return { ...stored, clientSecret, trustsEmail: false };
    } catch {
      return undefined; // encrypted with a key that is gone
    }
  }

  return {
    own,
    open,
    encryptSecret: (organizationId, clientSecret) =>
      encryptor.encrypt(clientSecret, contextOf(organizationId)),
    async find(organizationId) {
      if (organizationId === undefined) return own;
      const stored = await repository.get(organizationId);
      return stored && open(stored);
    },
  };
}
