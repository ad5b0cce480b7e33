import { ApiError, type Controller } from '@pult/contract';
import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { organizationsQuery } from '../../shared/api/queries.ts';
import { type Filters, queryKeys } from '../../shared/api/query-keys.ts';
import { paths } from '../../shared/paths.ts';

/** Spec, section 9. */
const probedControllers = 2;

/** Where `/` leads: to the only controller, else to the only organization's list, else to the organizations. */
export async function findRootDestination(queryClient: QueryClient): Promise<string> {
  const organizations = await queryClient.fetchQuery(organizationsQuery);
  const [organization] = organizations;
  if (organization === undefined || organizations.length > 1) return paths.organizations();
  const query = { organization_id: organization.id, page: 1, page_size: probedControllers };
  const results = await probe(queryClient, query);
  // The only organization wants a second factor first; the error catalogue tells so there.
  if (results === 'refused') return paths.security();
  const [controller] = results;
  if (controller === undefined || results.length > 1) return paths.controllers(organization.id);
  return paths.controller(organization.id, controller.serialNumber);
}

async function probe(queryClient: QueryClient, query: Filters): Promise<Controller[] | 'refused'> {
  try {
    const { results } = await queryClient.fetchQuery({
      queryKey: queryKeys.controllers.list(query),
      queryFn: ({ signal }) => api('listControllers', { query, signal }),
    });
    return results;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return 'refused';
    throw error;
  }
}
