import { createRoute, redirect, useLocation } from '@tanstack/react-router';
import { lazyPage } from '../../shared/page/load-part.ts';
import { paths, type SettingsSection } from '../../shared/paths.ts';
import {
  leaveMovedTab,
  requireSection,
  requireUpperCaseSerial,
  safeRedirect,
} from '../navigation/addresses.ts';
import { openMonitoring } from '../navigation/destinations.ts';
import { loadOrganization, loadPage } from '../navigation/guards.ts';
import { type GateProps, OrganizationGate } from '../OrganizationGate.tsx';
import { pageWithProps } from '../page-with-props.tsx';
import { shellRoute } from './authorized.ts';
import { rootRoute } from './root.ts';

interface OrganizationParams {
  organizationId: string;
}

interface WebhookParams extends OrganizationParams {
  webhookId: string;
}

interface ControllerParams extends OrganizationParams {
  serialNumber: string;
}

const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId',
  beforeLoad: async ({ context, params, cause }) => {
    context.cacheRules.enterOrganization(params.organizationId);
    return loadOrganization(context.queryClient, params.organizationId, cause);
  },
  component: pageWithProps(OrganizationGate, (): GateProps => {
    const { organizationId } = organizationRoute.useParams();
    const { isSignInMissing } = organizationRoute.useRouteContext();
    const { href } = useLocation();
    return {
      organizationId,
      isSignInMissing,
      destination: safeRedirect(href) ?? paths.organization(organizationId),
    };
  }),
});

const OrganizationPage = lazyPage(
  () => loadPage(() => import('../../features/organizations/pages/OrganizationPage.tsx')),
  'OrganizationPage',
);
const organizationIndexRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  beforeLoad: ({ params, location }) => leaveMovedTab(params.organizationId, location),
  component: pageWithProps(OrganizationPage, (): OrganizationParams => organizationRoute.useParams()),
});

const AccessPage = lazyPage(
  () => loadPage(() => import('../../features/access/AccessPage.tsx')),
  'AccessPage',
);
const accessRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/access',
  component: pageWithProps(AccessPage, (): OrganizationParams => organizationRoute.useParams()),
});

const ConnectionsPage = lazyPage(
  () => loadPage(() => import('../../features/tunnels/records/ConnectionsPage.tsx')),
  'ConnectionsPage',
);
const connectionsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/connections',
  component: pageWithProps(ConnectionsPage, (): OrganizationParams => organizationRoute.useParams()),
});

const settingsIndexRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings',
  beforeLoad: ({ params }) => {
    throw redirect({ href: paths.settings(params.organizationId, 'general') });
  },
});

const SettingsPage = lazyPage(
  () => loadPage(() => import('../../features/organizations/settings/SettingsPage.tsx')),
  'SettingsPage',
);
const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/$section',
  beforeLoad: ({ params }) => {
    requireSection(params);
  },
  component: pageWithProps(SettingsPage, (): { organizationId: string; section: SettingsSection } => {
    const { organizationId, section } = settingsRoute.useParams();
    return { organizationId, section: requireSection({ organizationId, section }) };
  }),
});

const AuditPage = lazyPage(
  () => loadPage(() => import('../../features/organizations/audit/AuditPage.tsx')),
  'AuditPage',
);
const auditRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/audit',
  component: pageWithProps(AuditPage, (): OrganizationParams => organizationRoute.useParams()),
});

const AlertsPage = lazyPage(
  () => loadPage(() => import('../../features/alerts/pages/AlertsPage.tsx')),
  'AlertsPage',
);
const alertsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/alerts',
  component: pageWithProps(AlertsPage, (): OrganizationParams => organizationRoute.useParams()),
});

const WebhookDeliveriesPage = lazyPage(
  () => loadPage(() => import('../../features/webhooks/DeliveriesPage.tsx')),
  'DeliveriesPage',
);
const webhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/webhooks/$webhookId',
  component: pageWithProps(WebhookDeliveriesPage, (): WebhookParams => webhookRoute.useParams()),
});

const ControllersPage = lazyPage(
  () => import('../../features/controllers/pages/ControllersPage.tsx'),
  'ControllersPage',
);
const controllersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/controllers',
  component: pageWithProps(ControllersPage, (): OrganizationParams => organizationRoute.useParams()),
});

const MapPage = lazyPage(() => loadPage(() => import('../../features/map/index.ts')), 'MapPage');
const mapRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/map',
  component: pageWithProps(MapPage, (): OrganizationParams => organizationRoute.useParams()),
});

const MonitoringPage = lazyPage(
  () => loadPage(() => import('../../features/monitoring/index.ts')),
  'MonitoringPage',
);
const monitoringRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/monitoring',
  component: pageWithProps(MonitoringPage, (): OrganizationParams => organizationRoute.useParams()),
});

const openMonitoringRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/monitoring/open',
  beforeLoad: async ({ context, params, search }) => {
    if (context.isSignInMissing) return;
    await openMonitoring(context.queryClient, params.organizationId, search['var-controller']);
  },
});

// By itself: the list needs nothing of its tabs.
const ControllerPage = lazyPage(
  () => loadPage(() => import('../../features/controllers/pages/ControllerPage.tsx')),
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

/** The pages of one organization. */
export const organizationRoutes = organizationRoute.addChildren([
  organizationIndexRoute,
  accessRoute,
  connectionsRoute,
  settingsIndexRoute,
  settingsRoute,
  auditRoute,
  alertsRoute,
  webhookRoute,
  controllersRoute,
  mapRoute,
  monitoringRoute,
  openMonitoringRoute,
  controllerRoute,
]);
