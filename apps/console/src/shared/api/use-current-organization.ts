import type { Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { readPreference, writePreference } from '../preferences/storage.ts';
import { useIsClosed } from './closed-organizations.ts';
import { organizationQuery, organizationsQuery } from './queries.ts';

const storageName = 'lastOrganization';

interface CurrentOrganization {
  /** Of the address; otherwise the one last open, or the only one, where it is still open to the user. */
  organization: Organization | undefined;
  organizations: Organization[] | undefined;
  /** Which one it is has still to be answered: what is shown meanwhile would be shown for a moment only. */
  isPending: boolean;
}

export function useCurrentOrganization(): CurrentOrganization {
  const { organizationId, serialNumber } = useParams({ strict: false });
  const { data: organizations, isPending } = useQuery(organizationsQuery);
  const isClosed = useIsClosed();
  const { data: opened } = useQuery({
    ...organizationQuery(organizationId ?? ''),
    enabled: organizationId !== undefined,
  });
  useEffect(() => {
    if (opened) writePreference(storageName, opened.id);
  }, [opened]);
  if (organizationId !== undefined) {
    return { organization: opened?.isSignInMissing ? undefined : opened, organizations, isPending: false };
  }
  const last = readPreference(storageName);
  const only = organizations?.length === 1 ? organizations[0] : undefined;
  const likely = organizations?.find(({ id }) => id === last) ?? only;
  return {
    organization: likely && !isClosed(likely) ? likely : undefined,
    organizations,
    // The address of a controller alone leads on to its organization.
    isPending: isPending || (likely === undefined && serialNumber !== undefined),
  };
}
