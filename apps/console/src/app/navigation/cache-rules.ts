import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../shared/api/query-keys.ts';

/**
 * The cache rules of the spec (section 2). Entries are removed, not refetched: the page that shows them is being
 * left, and the next one asks for its own.
 */
export interface CacheRules {
  /** Before a page of an organization: what was cached for another one goes. */
  enterOrganization: (organizationId: string) => void;
  /** After each navigation: a browser that is not logged in keeps nothing but the environment. */
  afterNavigation: (isAuthorized: boolean) => void;
}

export function createCacheRules(queryClient: QueryClient): CacheRules {
  let cachedOrganization: string | undefined;
  return {
    enterOrganization: (organizationId) => {
      if (cachedOrganization !== undefined && cachedOrganization !== organizationId) {
        for (const { all } of [queryKeys.controllers, queryKeys.organizations, queryKeys.groups]) {
          queryClient.removeQueries({ queryKey: all });
        }
      }
      cachedOrganization = organizationId;
    },
    afterNavigation: (isAuthorized) => {
      if (isAuthorized) return;
      cachedOrganization = undefined;
      queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKeys.environments[0] });
      queryClient.getMutationCache().clear();
    },
  };
}
