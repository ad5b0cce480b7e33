import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { queryKeys } from './query-keys.ts';

/** Data that the shell and several features need: the installation, the user, the organizations. */

export const environmentsQuery = queryOptions({
  queryKey: queryKeys.environments,
  queryFn: ({ signal }) => api('getEnvironments', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

export const currentUserQuery = queryOptions({
  queryKey: queryKeys.currentUser,
  queryFn: ({ signal }) => api('getCurrentUser', { signal }),
  staleTime: 60_000,
});

export const organizationsQuery = queryOptions({
  queryKey: queryKeys.organizations.list,
  queryFn: ({ signal }) => api('listOrganizations', { signal }),
});

export function organizationQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.organizations.detail(organizationId),
    queryFn: ({ signal }) => api('getOrganization', { params: { organizationId }, signal }),
    // The page that is being opened has just loaded it.
    staleTime: 1000,
  });
}

export const controllersTotalQuery = queryOptions({
  queryKey: queryKeys.controllersTotal,
  queryFn: ({ signal }) => api('countAllControllers', { signal }),
  staleTime: 60_000,
});

export const endingCertificatesQuery = queryOptions({
  queryKey: queryKeys.endingCertificates,
  queryFn: ({ signal }) => api('listEndingCertificates', { signal }),
  staleTime: 3_600_000,
  refetchInterval: 3_600_000,
  meta: { isBackground: true },
});
