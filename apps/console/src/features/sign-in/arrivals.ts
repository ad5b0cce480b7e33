import { ApiError, type OpenSignIn } from '@pult/contract';
import { api } from '../../shared/api/client.ts';
import { readErrorMessages } from '../../shared/api/error-messages.ts';

/** Asked before their pages are shown: until a navigation has ended, a browser that is not logged in keeps no answers. */
export interface Refused {
  kind: 'refused';
  reasons: string[];
}

async function readRefusal(error: unknown): Promise<Refused> {
  // A server that is away, out of order or asked too often says nothing about the sign-in.
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
  return { kind: 'refused', reasons: await readErrorMessages(error) };
}

/** `organizationName`: none by a server of before. */
export type ProviderCheck = { kind: 'known'; name: string; organizationName?: string | null } | Refused;

/** The identity provider by which people sign in to an organization. */
export async function checkProvider(organizationId: string): Promise<ProviderCheck> {
  try {
    const provider = await api('getSignInProvider', { params: { provider: organizationId } });
    return { kind: 'known', ...provider };
  } catch (error) {
    return readRefusal(error);
  }
}

/** `failed`: as the server’s redirect says, by a code of the catalogue. */
export type Arrival = { kind: 'open'; signIn: OpenSignIn } | { kind: 'failed'; code: string } | Refused;

/** How it stands with the sign-in of a browser that comes back from its provider. */
export async function readArrival(code: string | undefined): Promise<Arrival> {
  if (code) return { kind: 'failed', code };
  try {
    return { kind: 'open', signIn: await api('getOpenSignIn') };
  } catch (error) {
    return readRefusal(error);
  }
}
