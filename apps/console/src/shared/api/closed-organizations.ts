import type { Environments, Organization, User } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { currentUserQuery, environmentsQuery } from './queries.ts';

interface Account {
  user: Pick<User, 'totpEnabled'> | undefined;
  environments: Pick<Environments, 'TOTP_AUTH_ENABLED'> | undefined;
}

/**
 * Whether the organization requires a second factor that the user has not. Every call that touches it would be
 * refused and lead to the security page, so nothing of it is asked for unless the user opens it.
 */
export function isClosed(
  organization: Pick<Organization, 'totpRequired'>,
  { user, environments }: Account,
): boolean {
  return organization.totpRequired && user?.totpEnabled === false && environments?.TOTP_AUTH_ENABLED === true;
}

/** `isClosed` for the user of the page. */
export function useIsClosed(): (organization: Pick<Organization, 'totpRequired'>) => boolean {
  const { data: user } = useQuery(currentUserQuery);
  const { data: environments } = useQuery(environmentsQuery);
  return (organization) => isClosed(organization, { user, environments });
}
