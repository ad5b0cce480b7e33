import { createRoute, redirect } from '@tanstack/react-router';
import { enter } from '../../features/accounts/enter.ts';
import { checkInvite, hasSignUpForm, type InviteCheck } from '../../features/accounts/sign-up/invite.ts';
import {
  type Arrival,
  checkProvider,
  type ProviderCheck,
  readArrival,
} from '../../features/sign-in/arrivals.ts';
import { environmentsQuery } from '../../shared/api/queries.ts';
import { lazyPage } from '../../shared/page/load-part.ts';
import { paths } from '../../shared/paths.ts';
import { loadFont } from '../../shared/theme/fonts.ts';
import { GuestLayout } from '../GuestLayout.tsx';
import { LoadingView } from '../LoadingView.tsx';
import {
  parseSearch,
  safeRedirect,
  takenSecret,
  takeSecret,
  useLinkSecret,
} from '../navigation/addresses.ts';
import { findInviteDestination } from '../navigation/destinations.ts';
import { loadConnectTexts, loadPage, logOutForSignup, requireNoAuthorization } from '../navigation/guards.ts';
import { pageWithProps } from '../page-with-props.tsx';
import { rootRoute } from './root.ts';

const guestRoute = createRoute({ getParentRoute: () => rootRoute, id: 'guest', component: GuestLayout });

/** On this origin, wherever a link or an answer says. */
const toDestination = (path: string | undefined) => safeRedirect(path) ?? paths.root();

const LoginPage = lazyPage(() => import('../../features/accounts/login/LoginPage.tsx'), 'LoginPage');
const loginRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/login',
  beforeLoad: requireNoAuthorization,
  component: pageWithProps(LoginPage, () => {
    const { redirect: target, email } = rootRoute.useSearch();
    return { destination: toDestination(target), email };
  }),
});

const OrganizationSignInPage = lazyPage(
  () => loadPage(() => import('../../features/sign-in/OrganizationSignInPage.tsx')),
  'OrganizationSignInPage',
);
/** Open to one who is logged in as well: an organization may want this sign-in besides. */
const organizationSignInRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/login/organization/$organizationId',
  beforeLoad: async ({ params }) => ({ provider: await checkProvider(params.organizationId) }),
  component: pageWithProps(
    OrganizationSignInPage,
    (): { organizationId: string; provider: ProviderCheck; destination: string } => {
      const { organizationId } = organizationSignInRoute.useParams();
      const destination = safeRedirect(rootRoute.useSearch().redirect) ?? paths.organization(organizationId);
      return { organizationId, provider: organizationSignInRoute.useRouteContext().provider, destination };
    },
  ),
});

const CompleteSignInPage = lazyPage(
  () => loadPage(() => import('../../features/sign-in/CompleteSignInPage.tsx')),
  'CompleteSignInPage',
);
/** Where the server sends a browser that comes back from an identity provider. */
const completeSignInRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/login/complete',
  beforeLoad: async ({ context, search: { done, to, error } }) => {
    if (done === '1') {
      // The session is there already, in a cookie that scripts cannot see.
      enter(context.queryClient);
      throw redirect({ href: toDestination(to) });
    }
    return { arrival: await readArrival(error) };
  },
  component: pageWithProps(
    CompleteSignInPage,
    (): { arrival: Arrival; toDestination: (path: string) => string } => ({
      arrival: completeSignInRoute.useRouteContext().arrival,
      toDestination,
    }),
  ),
});

const SignupPage = lazyPage(
  () => loadPage(() => import('../../features/accounts/sign-up/SignupPage.tsx')),
  'SignupPage',
);
const signupRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/signup',
  beforeLoad: async ({ context, search, location }) => {
    const { token, email = '' } = search;
    takeSecret(token, paths.signup({ email }));
    const { linkSecret } = location.state;
    const invite = linkSecret === undefined ? undefined : await checkInvite(linkSecret);
    const environments = await context.queryClient.ensureQueryData(environmentsQuery);
    await logOutForSignup({ hasForm: hasSignUpForm(invite, environments) });
    return { invite };
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
  () => loadPage(() => import('../../features/accounts/sign-up/SignupConfirmPage.tsx')),
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
  component: lazyPage(
    () => loadPage(() => import('../../features/accounts/password-reset/PasswordResetPage.tsx')),
    'PasswordResetPage',
  ),
});

const PasswordResetConfirmPage = lazyPage(
  () => loadPage(() => import('../../features/accounts/password-reset/PasswordResetConfirmPage.tsx')),
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

const GuestPage = lazyPage(
  () => loadPage(() => import('../../features/tunnels/guests/GuestPage.tsx')),
  'GuestPage',
);
const GuestTerminal = lazyPage(async () => {
  const load = import('../../features/tunnels/pages/GuestTerminal.tsx');
  const [page] = await Promise.all([load, loadConnectTexts(), loadFont('mono')]);
  return page;
}, 'GuestTerminal');
const guestLinkRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/guest/',
  beforeLoad: ({ location }) => takeSecret(location.hash, paths.guest()),
  component: pageWithProps(GuestPage, () => ({
    token: useLinkSecret(),
    Terminal: GuestTerminal,
  })),
});

const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite',
  loader: async ({ location }) => {
    const { token } = parseSearch(location.searchStr);
    throw redirect({ href: await findInviteDestination(token) });
  },
  component: LoadingView,
});

const passwordChangeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/password-change',
  beforeLoad: () => {
    throw redirect({ href: paths.security() });
  },
});

/** What opens without a login. */
export const guestRoutes = [
  guestRoute.addChildren([
    loginRoute,
    organizationSignInRoute,
    completeSignInRoute,
    signupRoute,
    signupConfirmRoute,
    passwordResetRoute,
    passwordResetConfirmRoute,
    guestLinkRoute,
  ]),
  inviteRoute,
  passwordChangeRoute,
] as const;
