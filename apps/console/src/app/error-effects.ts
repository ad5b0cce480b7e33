import i18next from 'i18next';
import type { ErrorEffects } from '../shared/api/errors.ts';
import { setAuthorized } from '../shared/auth/authorization.ts';
import { showBanner } from '../shared/banner/banner.ts';
import { paths } from '../shared/paths.ts';
import { showToast } from '../shared/toasts/show-toast.tsx';
import { loginFor, tellOrganizationIsGone } from './navigation/guards.ts';
import type { Router } from './router.ts';

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
