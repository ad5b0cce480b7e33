import { ApiError } from '@pult/contract';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { loginFor } from './guards.ts';

/** Pages that need a login need its user: a failure reaches the error view that replaces the page (spec, section 2). */
export async function loadCurrentUser(
  queryClient: QueryClient,
  target: { pathname: string; href: string },
): Promise<void> {
  try {
    await queryClient.ensureQueryData(currentUserQuery);
  } catch (error) {
    // The error catalogue is on its way to login already; the page must not show an error meanwhile.
    if (error instanceof ApiError && error.status === 401) throw redirect({ href: loginFor(target) });
    throw error;
  }
}
