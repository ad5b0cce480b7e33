import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { setAuthorized } from '../../shared/auth/authorization.ts';

/** Of whoever comes: whoever was logged in before leaves nothing to them. */
export function enter(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKeys.environments[0] });
  setAuthorized(true);
}
