import i18next from 'i18next';
import type { ErrorEffects } from '../shared/api/errors.ts';
import { organizationQuery, organizationsQuery } from '../shared/api/queries.ts';
import { setAuthorized } from '../shared/auth/authorization.ts';
import { showBanner } from '../shared/banner/banner.ts';
import { paths } from '../shared/paths.ts';
import { showToast } from '../shared/toasts/show-toast.tsx';
import { loginFor, tellOrganizationIsGone } from './navigation/guards.ts';
import type { Router } from './router.ts';

/** Its pages are asked once more whether they may be shown, and say how to get in. */
function closeOpenOrganization(router: Router, organizationId: string): void {
  const { queryClient } = router.options.context;
  const { queryKey } = organizationQuery(organizationId);
  const known = queryClient.getQueryData(queryKey);
  if (!known || known.isSignInMissing) return;
  queryClient.setQueryData(queryKey, { ...known, isSignInMissing: true });
  void queryClient.invalidateQueries({ queryKey: organizationsQuery.queryKey });
  void router.invalidate();
}

/** What the error catalogue does in the real page. */
export function createErrorEffects(router: Router): ErrorEffects {
  return {
    setUnauthorized: () => setAuthorized(false),
    goToLogin: () => {
      const location = router.latestLocation;
      if (location.pathname === '/login') return;
      void router.navigate({ href: loginFor(location) });
    },
    goToSecurity: async (reason, { kind }) => {
      // A page that may not be seen is replaced: the way back must not lead to it, and so here again.
      if (router.latestLocation.pathname !== paths.security())
        await router.navigate({ href: paths.security(), replace: kind !== 'action' });
      // After the navigation, which clears the banner.
      showBanner(reason);
    },
    closeOrganization: async (organizationId, reason, { kind }) => {
      const opened = /^\/organizations\/([^/]+)/.exec(router.latestLocation.pathname)?.[1];
      if (opened !== undefined && (organizationId === undefined || organizationId === opened)) {
        closeOpenOrganization(router, opened);
        return;
      }
      if (kind === 'background') return;
      await router.navigate({ href: paths.organizations(), replace: kind !== 'action' });
      // After the navigation, which clears the banner.
      showBanner(reason);
    },
    leaveOrganization: (organizationId, { kind }) => {
      const pathname = `${router.latestLocation.pathname}/`;
      const isOpen = pathname.startsWith(`${paths.organization(organizationId)}/`);
      if (!isOpen && kind === 'background') return;
      tellOrganizationIsGone(organizationId);
      if (isOpen) void router.navigate({ href: paths.organizations(), replace: true });
    },
    // What is refused twice, as by two parts of a page, is told once.
    showError: (summary, id = summary) => showToast({ severity: 'error', summary, id }),
    controllerDoesNotExist: (serialNumber) =>
      i18next.t('controllerDoesNotExist', { ns: 'app', serialNumber }),
    serverUnreachable: () => i18next.t('unreachable', { ns: 'shared' }),
  };
}
