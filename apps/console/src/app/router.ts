import type { QueryClient } from '@tanstack/react-query';
import { createRouter as createTanStackRouter, type RouterHistory } from '@tanstack/react-router';
import { cancelConfirmations } from '../shared/api/confirmation.ts';
import { isAuthorized } from '../shared/auth/authorization.ts';
import { clearBanner } from '../shared/banner/banner.ts';
import { showDialog } from '../shared/ui/DialogHost.tsx';
import { LoadingView } from './LoadingView.tsx';
import { parseSearch, stringifySearch } from './navigation/addresses.ts';
import { createCacheRules } from './navigation/session.ts';
import { routeTree } from './routes.ts';

/** The router with the navigation rules that hold for every address (spec-coverage: Navigation:). */
export function createRouter(queryClient: QueryClient, history?: RouterHistory) {
  const cacheRules = createCacheRules(queryClient);
  const router = createTanStackRouter({
    routeTree,
    context: { queryClient, cacheRules },
    parseSearch,
    stringifySearch,
    trailingSlash: 'preserve',
    defaultPendingComponent: LoadingView,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    scrollRestoration: true,
    ...(history ? { history } : {}),
  });
  router.subscribe('onBeforeNavigate', clearBanner);
  router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
    if (!pathChanged) return;
    cancelConfirmations();
    showDialog(null);
  });
  router.subscribe('onResolved', () => cacheRules.afterNavigation(isAuthorized()));
  return router;
}

export type Router = ReturnType<typeof createRouter>;
