import type { TunnelProtocol } from '@pult/contract';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { checkInvite, type InviteCheck } from '../features/accounts/invite.ts';
import { lazyPage } from '../shared/page/load-part.ts';
import { paths } from '../shared/paths.ts';
import { GuestLayout } from './GuestLayout.tsx';
import { LoadingView } from './LoadingView.tsx';
import {
  parseSearch,
  requireProtocol,
  requireUpperCaseSerial,
  type Search,
  safeRedirect,
  takenSecret,
  takeSecret,
  useLinkSecret,
} from './navigation/addresses.ts';
import { findInviteDestination, findRootDestination, openMonitoring } from './navigation/destinations.ts';
import {
  loadCurrentUser,
  loadInsideTexts,
  loadOrganization,
  logOutForSignup,
  requireAuthorization,
  requireNoAuthorization,
} from './navigation/guards.ts';
import type { CacheRules } from './navigation/session.ts';
import { pageWithProps } from './page-with-props.tsx';
import { RouteErrorView } from './RouteErrorView.tsx';

interface Context {
  queryClient: QueryClient;
  cacheRules: CacheRules;
}

interface OrganizationParams {
  organizationId: string;
}

interface ControllerParams extends OrganizationParams {
  serialNumber: string;
}

const rootRoute = createRootRouteWithContext<Context>()({
  component: Outlet,
  // Of the root alone: whatever fails, the view replaces the whole page (spec-coverage: Server-error view: full page).
  errorComponent: RouteErrorView,
  validateSearch: (search: Search): Search => search,
});

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: ({ location }) => requireAuthorization(location),
  loader: async ({ context }) => {
    throw redirect({ href: await findRootDestination(context.queryClient), replace: true });
  },
  component: LoadingView,
});

// Pages are loaded one by one, each with what it alone needs.

// Without a login.

const guestRoute = createRoute({ getParentRoute: () => rootRoute, id: 'guest', component: GuestLayout });

const LoginPage = lazyPage(() => import('../features/accounts/pages/LoginPage.tsx'), 'LoginPage');
const loginRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/login',
  beforeLoad: requireNoAuthorization,
  component: pageWithProps(LoginPage, () => {
    const { redirect: target, email } = rootRoute.useSearch();
    return { destination: safeRedirect(target) ?? paths.root(), email };
  }),
});

const SignupPage = lazyPage(() => import('../features/accounts/pages/SignupPage.tsx'), 'SignupPage');
const signupRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/signup',
  beforeLoad: async ({ search, location }) => {
    const { token, email = '' } = search;
    takeSecret(token, paths.signup({ email }));
    await logOutForSignup();
    const { linkSecret } = location.state;
    return { invite: linkSecret === undefined ? undefined : await checkInvite(linkSecret) };
  },
  component: pageWithProps(
    SignupPage,
    (): { invite: InviteCheck | undefined; email: string | undefined } => ({
      invite: signupRoute.useRouteContext().invite,
      email: rootRoute.useSearch().email,
    }),
  ),
});

const SignupConfirmPage = lazyPage(
  () => import('../features/accounts/pages/SignupConfirmPage.tsx'),
  'SignupConfirmPage',
);
const signupConfirmRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/signup/confirm/$token/',
  beforeLoad: ({ params }) => takeSecret(params.token, paths.signupConfirm(takenSecret)),
  component: pageWithProps(SignupConfirmPage, () => ({ token: useLinkSecret() })),
});

const passwordResetRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/password-reset/',
  component: lazyPage(() => import('../features/accounts/pages/PasswordResetPage.tsx'), 'PasswordResetPage'),
});

const PasswordResetConfirmPage = lazyPage(
  () => import('../features/accounts/pages/PasswordResetConfirmPage.tsx'),
  'PasswordResetConfirmPage',
);
const passwordResetConfirmRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/password-reset/$uid/$token/',
  beforeLoad: ({ params: { uid, token } }) => takeSecret(token, paths.passwordResetConfirm(uid, takenSecret)),
  component: pageWithProps(PasswordResetConfirmPage, (): { uid: string; token: string | undefined } => ({
    uid: passwordResetConfirmRoute.useParams().uid,
    token: useLinkSecret(),
  })),
});

const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite',
  loader: async ({ location }) => {
    const { token } = parseSearch(location.searchStr);
    throw redirect({ href: await findInviteDestination(token), replace: true });
  },
  component: LoadingView,
});

const passwordChangeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/password-change',
  beforeLoad: () => {
    throw redirect({ href: paths.security(), replace: true });
  },
});

// With a login.

const authorizedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'authorized',
  beforeLoad: async ({ context, location }) => {
    requireAuthorization(location);
    await Promise.all([loadInsideTexts(), loadCurrentUser(context.queryClient, location)]);
  },
  component: Outlet,
});

const shellRoute = createRoute({
  getParentRoute: () => authorizedRoute,
  id: 'shell',
  component: lazyPage(() => import('./shell/Shell.tsx'), 'Shell'),
});

const securityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/security',
  component: lazyPage(() => import('../features/accounts/pages/SecurityPage.tsx'), 'SecurityPage'),
});

const OrganizationsPage = lazyPage(
  () => import('../features/organizations/pages/OrganizationsPage.tsx'),
  'OrganizationsPage',
);
const organizationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations',
  component: pageWithProps(OrganizationsPage, () => {
    const { token, orgName } = rootRoute.useSearch();
    return { token, orgName };
  }),
});

const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId',
  beforeLoad: async ({ context, params, cause }) => {
    context.cacheRules.enterOrganization(params.organizationId);
    await loadOrganization(context.queryClient, params.organizationId, cause);
  },
  component: Outlet,
});

const OrganizationPage = lazyPage(
  () => import('../features/organizations/pages/OrganizationPage.tsx'),
  'OrganizationPage',
);
const organizationIndexRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  component: pageWithProps(OrganizationPage, () => {
    const params: OrganizationParams = organizationRoute.useParams();
    return { ...params, tab: rootRoute.useSearch().tab };
  }),
});

const AuditPage = lazyPage(() => import('../features/organizations/audit/AuditPage.tsx'), 'AuditPage');
const auditRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/audit',
  component: pageWithProps(AuditPage, (): OrganizationParams => organizationRoute.useParams()),
});

const AlertsPage = lazyPage(() => import('../features/alerts/index.ts'), 'AlertsPage');
const alertsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/alerts',
  component: pageWithProps(AlertsPage, (): OrganizationParams => organizationRoute.useParams()),
});

const controllers = () => import('../features/controllers/index.ts');

const ControllersPage = lazyPage(controllers, 'ControllersPage');
const controllersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/controllers',
  component: pageWithProps(ControllersPage, (): OrganizationParams => organizationRoute.useParams()),
});

const MapPage = lazyPage(() => import('../features/map/index.ts'), 'MapPage');
const mapRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/map',
  component: pageWithProps(MapPage, (): OrganizationParams => organizationRoute.useParams()),
});

const MonitoringPage = lazyPage(() => import('../features/monitoring/index.ts'), 'MonitoringPage');
const monitoringRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/monitoring',
  component: pageWithProps(MonitoringPage, (): OrganizationParams => organizationRoute.useParams()),
});

const openMonitoringRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/monitoring/open',
  beforeLoad: ({ context, params, search }) =>
    openMonitoring(context.queryClient, params.organizationId, search['var-controller']),
});

// By itself: the list needs nothing of its tabs.
const ControllerPage = lazyPage(
  () => import('../features/controllers/pages/ControllerPage.tsx'),
  'ControllerPage',
);
const controllerRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/controllers/$serialNumber',
  beforeLoad: ({ params, location }) =>
    requireUpperCaseSerial(
      params.serialNumber,
      (serialNumber) => paths.controller(params.organizationId, serialNumber),
      location,
    ),
  component: pageWithProps(ControllerPage, () => {
    const params: ControllerParams = controllerRoute.useParams();
    return { ...params, tab: rootRoute.useSearch().tab };
  }),
});

const AddControllerPage = lazyPage(() => import('../features/activation/index.ts'), 'AddControllerPage');
const addControllerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/controllers',
  component: pageWithProps(AddControllerPage, () => ({ token: rootRoute.useSearch().token })),
});

const ControllerRedirectPage = lazyPage(controllers, 'ControllerRedirectPage');
const controllerRedirectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/controllers/$serialNumber',
  component: pageWithProps(ControllerRedirectPage, (): { serialNumber: string } => ({
    serialNumber: controllerRedirectRoute.useParams().serialNumber.toUpperCase(),
  })),
});

// Outside the shell: a terminal fills the window.
const ConnectPage = lazyPage(() => import('../features/tunnels/pages/ConnectPage.tsx'), 'ConnectPage');
const connectRoute = createRoute({
  getParentRoute: () => authorizedRoute,
  path: '/connect/$protocol/$serialNumber/',
  beforeLoad: ({ params, location }) => {
    const protocol = requireProtocol(params.protocol);
    requireUpperCaseSerial(
      params.serialNumber,
      (serialNumber) => paths.connect(protocol, serialNumber),
      location,
    );
  },
  component: pageWithProps(ConnectPage, (): { protocol: TunnelProtocol; serialNumber: string } => {
    const { protocol, serialNumber } = connectRoute.useParams();
    return { protocol: requireProtocol(protocol), serialNumber };
  }),
});

/** Any other address leads to the root. */
const otherRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ href: paths.root(), replace: true });
  },
});

export const routeTree = rootRoute.addChildren([
  indexRoute,
  guestRoute.addChildren([
    loginRoute,
    signupRoute,
    signupConfirmRoute,
    passwordResetRoute,
    passwordResetConfirmRoute,
  ]),
  inviteRoute,
  passwordChangeRoute,
  authorizedRoute.addChildren([
    shellRoute.addChildren([
      securityRoute,
      organizationsRoute,
      organizationRoute.addChildren([
        organizationIndexRoute,
        auditRoute,
        alertsRoute,
        controllersRoute,
        mapRoute,
        monitoringRoute,
        openMonitoringRoute,
        controllerRoute,
      ]),
      addControllerRoute,
      controllerRedirectRoute,
    ]),
    connectRoute,
  ]),
  otherRoute,
]);
