import { isAllowed, type Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AccessKind } from '../../shared/paths.ts';
import { grantsQuery } from '../grants/index.ts';
import { invitesQuery, membersQuery } from '../organizations/index.ts';
import { serviceAccountsQuery } from '../service-accounts/index.ts';
import { organizationGuestLinksQuery } from '../tunnels/index.ts';
import { listEntries } from './entries.ts';

/** All who have access, as far as the user may see them, and of which kinds these can be. */
export function useAccessEntries({ id, userRole, isPartial = false }: Organization) {
  const ask = (isSeen: boolean) => ({ enabled: isSeen });
  const sees = {
    members: !isPartial,
    grants: isAllowed(userRole, 'grants.manage'),
    invites: isAllowed(userRole, 'members.invite'),
    services: !isPartial && isAllowed(userRole, 'tokens.manage'),
    guests: isAllowed(userRole, 'guests.manage'),
  };
  const members = useQuery({ ...membersQuery(id), ...ask(sees.members) });
  const grants = useQuery({ ...grantsQuery(id), ...ask(sees.grants) });
  const invites = useQuery({ ...invitesQuery(id), ...ask(sees.invites) });
  const services = useQuery({ ...serviceAccountsQuery(id), ...ask(sees.services) });
  const guests = useQuery({ ...organizationGuestLinksQuery(id), ...ask(sees.guests) });
  const asked = { members, grants, invites, services, guests };
  const used = (Object.keys(asked) as (keyof typeof asked)[]).filter((name) => sees[name]); // its own keys
  const isThere = used.every((name) => asked[name].data !== undefined);
  const entries = useMemo(
    () =>
      isThere
        ? listEntries({
            members: members.data,
            grants: grants.data,
            invites: invites.data,
            services: services.data,
            guests: guests.data,
          })
        : undefined,
    [isThere, members.data, grants.data, invites.data, services.data, guests.data],
  );
  const kinds: AccessKind[] = [
    'people',
    ...(sees.invites ? (['invites'] as const) : []),
    ...(sees.grants ? (['services'] as const) : []),
    ...(sees.guests ? (['guests'] as const) : []),
  ];
  return {
    entries,
    kinds,
    error: used.map((name) => asked[name].error).find((error) => error !== null) ?? null,
    retry: () => Promise.all(used.map((name) => asked[name].refetch())),
  };
}
