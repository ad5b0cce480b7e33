import type { Route } from '../route.ts';
import { searchQuery, searchResults } from '../schemas/search.ts';

export const searchRoutes = {
  search: {
    method: 'GET',
    path: '/api/v1/search/',
    // No permission of one organization: it looks through those that the user may enter, and skips the others.
    access: 'user',
    on: 'list',
    allowScopedSession: true,
    query: searchQuery,
    status: 200,
    answer: searchResults,
    summary: 'The best matches among the controllers and groups of all organizations of the user',
  },
} as const satisfies Record<string, Route>;
