import { ApiError } from '@pult/contract';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { organizationQuery } from '../../shared/api/queries.ts';
import { paths } from '../../shared/paths.ts';
import { tellOrganizationIsGone } from './organization-gone.ts';

/**
 * Pages of an organization load it first; one that is gone leads to the list, with one message (spec, section 2).
 * From one of its pages to the next, and while a list's filter is typed, what is known of it is enough.
 */
export async function loadOrganization(
  queryClient: QueryClient,
  organizationId: string,
  cause: 'enter' | 'stay' | 'preload',
): Promise<void> {
  const query = { ...organizationQuery(organizationId), meta: { isAwaited: true } };
  try {
    if (cause === 'stay') await queryClient.ensureQueryData(query);
    else await queryClient.fetchQuery(query);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The error catalogue has sent the user to login or to the security page.
    if (error.status === 401 || error.status === 403)
      throw redirect({ href: paths.security(), replace: true });
    // A hand-made id that is none is refused as a bad field.
    if (error.status !== 404 && error.status !== 400) throw error;
    tellOrganizationIsGone(organizationId);
    throw redirect({ href: paths.organizations(), replace: true });
  }
}
