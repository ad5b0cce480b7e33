import { createRoute, Outlet } from '@tanstack/react-router';
import { lazyPage } from '../../shared/page/load-part.ts';
import { loadCurrentUser, loadInsideTexts, requireAuthorization } from '../navigation/guards.ts';
import { rootRoute } from './root.ts';

/** Above all that needs a login. */
export const authorizedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'authorized',
  beforeLoad: async ({ context, location }) => {
    requireAuthorization(location);
    await Promise.all([loadInsideTexts(), loadCurrentUser(context.queryClient, location)]);
  },
  component: Outlet,
});

/** Above the pages inside the shell; outside of it is what fills the window. */
export const shellRoute = createRoute({
  getParentRoute: () => authorizedRoute,
  id: 'shell',
  component: lazyPage(() => import('../shell/Shell.tsx'), 'Shell'),
});
