import type { PageProtocol } from '@pult/contract';
import { pageProtocols } from '@pult/contract/values';
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shared/page/load-part.ts';
import { paths } from '../../shared/paths.ts';
import { loadFont } from '../../shared/theme/fonts.ts';
import { requireProtocol, requireUpperCaseSerial } from '../navigation/addresses.ts';
import { leaveNoSuchPage, loadConnectTexts, loadPage, requireAdministrator } from '../navigation/guards.ts';
import { pageWithProps } from '../page-with-props.tsx';
import { useLogout } from '../shell/use-logout.ts';
import { authorizedRoute, shellRoute } from './authorized.ts';
import { rootRoute } from './root.ts';

const SecurityPage = lazyPage(
  () => loadPage(() => import('../../features/accounts/security/SecurityPage.tsx')),
  'SecurityPage',
);
const securityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/security',
  component: pageWithProps(SecurityPage, () => ({ logOut: useLogout() })),
});

const deviceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/device',
  component: lazyPage(
    () => loadPage(() => import('../../features/accounts/device-logins/DeviceLoginPage.tsx')),
    'DeviceLoginPage',
  ),
});

const OrganizationsPage = lazyPage(
  () => import('../../features/organizations/pages/OrganizationsPage.tsx'),
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

const AddControllerPage = lazyPage(
  () => loadPage(() => import('../../features/activation/index.ts')),
  'AddControllerPage',
);
const addControllerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/controllers',
  component: pageWithProps(AddControllerPage, () => ({ token: rootRoute.useSearch().token })),
});

const ControllerRedirectPage = lazyPage(
  () => import('../../features/controllers/pages/ControllerRedirectPage.tsx'),
  'ControllerRedirectPage',
);
const controllerRedirectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/controllers/$serialNumber',
  component: pageWithProps(ControllerRedirectPage, (): { serialNumber: string } => ({
    serialNumber: controllerRedirectRoute.useParams().serialNumber.toUpperCase(),
  })),
});

const InstallationPage = lazyPage(
  () => loadPage(() => import('../../features/installation/index.ts')),
  'InstallationPage',
);
const installationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/installation',
  beforeLoad: ({ context }) => requireAdministrator(context.queryClient),
  component: InstallationPage,
});

// Outside the shell: a terminal fills the window.
const ConnectPage = lazyPage(async () => {
  const load = import('../../features/tunnels/pages/ConnectPage.tsx');
  const [page] = await Promise.all([load, loadConnectTexts(), loadFont('mono')]);
  return page;
}, 'ConnectPage');
const connectRoute = createRoute({
  getParentRoute: () => authorizedRoute,
  path: '/connect/$protocol/$serialNumber/',
  beforeLoad: ({ params, location }) => {
    const protocol = pageProtocols.find((each) => each === params.protocol) ?? leaveNoSuchPage(location);
    requireUpperCaseSerial(
      params.serialNumber,
      (serialNumber) => paths.connect(protocol, serialNumber),
      location,
    );
  },
  component: pageWithProps(ConnectPage, (): { protocol: PageProtocol; serialNumber: string } => {
    const { protocol, serialNumber } = connectRoute.useParams();
    return { protocol: requireProtocol(protocol), serialNumber };
  }),
});

/** The pages of an account inside the shell, whatever organization they are about. */
export const accountRoutes = [
  securityRoute,
  deviceRoute,
  organizationsRoute,
  addControllerRoute,
  controllerRedirectRoute,
  installationRoute,
] as const;

/** What fills the window. */
export const windowRoutes = [connectRoute] as const;
