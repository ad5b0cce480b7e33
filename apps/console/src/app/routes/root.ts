import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import type { Search } from '../navigation/addresses.ts';
import type { CacheRules } from '../navigation/session.ts';
import { RouteErrorView } from '../RouteErrorView.tsx';

interface Context {
  queryClient: QueryClient;
  cacheRules: CacheRules;
}

/** Above all routes. Their pages are loaded one by one, each with what it alone needs. */
export const rootRoute = createRootRouteWithContext<Context>()({
  component: Outlet,
  // Of the root alone: whatever fails, the view replaces the whole page (spec-coverage: Server-error view: full page).
  errorComponent: RouteErrorView,
  validateSearch: (search: Search): Search => search,
});
