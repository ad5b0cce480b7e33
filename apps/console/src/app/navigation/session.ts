import { hashKey, type QueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { isAuthorized, onAuthorizedElsewhere } from '../../shared/auth/authorization.ts';

/**
 * The cache rules (spec-coverage: Navigation: another organization resets cached controllers). Entries are removed, not refetched: the page that shows them is being
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

/**
 * All tabs of a browser share one session. After a login or logout in another one the guards decide anew where this
 * tab belongs, and it asks who its user is now.
 */
export function followOtherTabs(router: { invalidate: () => Promise<void> }, queryClient: QueryClient): void {
  onAuthorizedElsewhere(() => {
    void router.invalidate();
    if (isAuthorized()) void queryClient.refetchQueries({ queryKey: currentUserQuery.queryKey });
  });
}

/**
 * Calls `onAnother` when the page's user turns out to be another one than before, so that nothing on it is theirs.
 * A tab that slept learns of a logout and the next login at once, when the flag is as it was. Returns what ends it.
 */
export function watchUser(queryClient: QueryClient, onAnother: () => void): () => void {
  const hash = hashKey(currentUserQuery.queryKey);
  let known: string | undefined;
  return queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryHash !== hash) return;
    // The page's user has logged out; whoever comes next finds an empty cache.
    if (type === 'removed') known = undefined;
    if (type !== 'updated') return;
    const id = queryClient.getQueryData(currentUserQuery.queryKey)?.id;
    const isAnother = known !== undefined && id !== undefined && id !== known;
    known = id ?? known;
    if (isAnother) onAnother();
  });
}
