import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { organizationQuery, organizationsQuery } from '../../shared/api/queries.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

/** How many controllers an organization has, and how many of them are online. */
export function organizationCountQuery(organizationId: string) {
  const query = { organization_id: organizationId };
  return queryOptions({
    queryKey: queryKeys.controllers.count(query),
    queryFn: ({ signal }) => api('countControllers', { query, signal }),
  });
}

export function useCreateOrganization() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api('createOrganization', { body: { name: name.trim() } }),
    onSuccess: (organization) => {
      client.setQueryData(organizationQuery(organization.id).queryKey, organization);
      return client.invalidateQueries({ queryKey: organizationsQuery.queryKey });
    },
  });
}
