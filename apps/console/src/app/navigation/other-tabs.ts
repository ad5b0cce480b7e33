import { hashKey, type QueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { isAuthorized, onAuthorizedElsewhere } from '../../shared/auth/authorization.ts';
import type { Router } from '../router.ts';

/**
 * All tabs of a browser share one session. After a login or logout in another one the guards decide anew where this
 * tab belongs, and it asks who its user is now.
 */
export function followOtherTabs(router: Router, queryClient: QueryClient): void {
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
