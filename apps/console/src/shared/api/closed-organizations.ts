import type { Environments, Organization, User } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { currentUserQuery, environmentsQuery } from './queries.ts';

interface Account {
  user: Pick<User, 'totpEnabled' | 'signedInto' | 'isFactorByProvider'> | undefined;
  environments: Pick<Environments, 'TOTP_AUTH_ENABLED'> | undefined;
}

type Closable = Pick<Organization, 'totpRequired' | 'isSignInMissing'>;

/**
 * Whether the organization requires a second factor that the user has not, or a sign-in that this login is not. Every
 * call that touches it would be refused, so nothing of it is asked for unless the user opens it.
 */
export function isClosed(
  { totpRequired, isSignInMissing }: Closable,
  { user, environments }: Account,
): boolean {
  // A provider's second factor may count in place of the account's own; of an organization's the server alone knows.
  const isTotpMissing =
    totpRequired &&
    user?.totpEnabled === false &&
    user.signedInto === undefined &&
    user.isFactorByProvider !== true &&
    environments?.TOTP_AUTH_ENABLED === true;
  return isSignInMissing === true || isTotpMissing;
}

/** `isClosed` for the user of the page. */
export function useIsClosed(): (organization: Closable) => boolean {
  const { data: user } = useQuery(currentUserQuery);
  const { data: environments } = useQuery(environmentsQuery);
  return (organization) => isClosed(organization, { user, environments });
}
