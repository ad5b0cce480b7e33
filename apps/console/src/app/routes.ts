import { createRoute, redirect } from '@tanstack/react-router';
import { LoadingView } from './LoadingView.tsx';
import { findRootDestination } from './navigation/destinations.ts';
import { leaveNoSuchPage, requireAuthorization } from './navigation/guards.ts';
import { accountRoutes, windowRoutes } from './routes/account.ts';
import { authorizedRoute, shellRoute } from './routes/authorized.ts';
import { guestRoutes } from './routes/guest.ts';
import { organizationRoutes } from './routes/organization.ts';
import { rootRoute } from './routes/root.ts';

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: ({ location }) => requireAuthorization(location),
  loader: async ({ context }) => {
    throw redirect({ href: await findRootDestination(context.queryClient) });
  },
  component: LoadingView,
});

/** Any other address leads to the root, which tells of a stale bookmark or a typing error. */
const otherRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: ({ location }) => {
    leaveNoSuchPage(location);
  },
});

/** Every address of the console. */
export const routeTree = rootRoute.addChildren([
  indexRoute,
  ...guestRoutes,
  authorizedRoute.addChildren([
    shellRoute.addChildren([...accountRoutes, organizationRoutes]),
    ...windowRoutes,
  ]),
  otherRoute,
]);
