import { ApiError, type Controller } from '@pult/contract';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import i18next from 'i18next';
import { checkInvite } from '../../features/accounts/sign-up/invite.ts';
import { api } from '../../shared/api/client.ts';
import { organizationsQuery } from '../../shared/api/queries.ts';
import { type Filters, queryKeys } from '../../shared/api/query-keys.ts';
import { isAuthorized, setAuthorized } from '../../shared/auth/authorization.ts';
import { paths } from '../../shared/paths.ts';
import { shortenName, showToast } from '../../shared/toasts/show-toast.tsx';

/** spec-coverage: Root redirect probes 2 controllers */
const probedControllers = 2;

/** Where `/` leads: to the only controller, else to the only organization's list, else to the organizations. */
export async function findRootDestination(queryClient: QueryClient): Promise<string> {
  const organizations = await queryClient.fetchQuery(organizationsQuery);
  const [organization] = organizations;
  if (organization === undefined || organizations.length > 1) return paths.organizations();
  // Its pages say how to get in.
  if (organization.isSignInMissing) return paths.controllers(organization.id);
  const query = { organization_id: organization.id, page: 1, page_size: probedControllers };
  const results = await probe(queryClient, query);
  // The only organization wants a second factor first; the error catalogue tells so there.
  if (results === 'refused') return paths.security();
  const [controller] = results;
  if (controller === undefined || results.length > 1) return paths.controllers(organization.id);
  return paths.controller(organization.id, controller.serialNumber);
}

async function probe(queryClient: QueryClient, query: Filters): Promise<Controller[] | 'refused'> {
  try {
    const { results } = await queryClient.fetchQuery({
      queryKey: queryKeys.controllers.list(query),
      queryFn: ({ signal }) => api('listControllers', { query, signal }),
    });
    return results;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return 'refused';
    throw error;
  }
}

/** Who is logged in; undefined when nobody is, or the session has ended meanwhile. */
async function readOwnEmail(): Promise<string | undefined> {
  if (!isAuthorized()) return undefined;
  try {
    // Asked anew: this browser may have been logged in as somebody else in another tab.
    return (await api('getCurrentUser')).email;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    setAuthorized(false);
    return undefined;
  }
}

/** Where the link of an invite leads (spec-coverage: /invite?token). */
export async function findInviteDestination(token: string | undefined): Promise<string> {
  if (!token) return paths.root();
  const invite = await checkInvite(token);
  if (invite.kind === 'invalid') {
    for (const reason of invite.reasons) {
      showToast({ severity: 'error', summary: reason.replace(/\.$/, ''), id: `invite:${reason}` });
    }
    return paths.root();
  }
  const { email, organization, userExists } = invite;
  const ownEmail = await readOwnEmail();
  if (ownEmail === email) return paths.organizations({ token, orgName: organization });
  if (ownEmail !== undefined) {
    showToast({
      severity: 'error',
      summary: i18next.t('inviteForAnotherUser', { ns: 'app', email: shortenName(email) }),
      id: 'invite-for-another',
    });
    return paths.root();
  }
  return userExists
    ? paths.login({ redirect: paths.invite({ token }), email })
    : paths.signup({ token, email });
}

/** To a place outside the console, instead of the address that leads there: "back" would only lead there again. */
const leave = (url: string) => window.location.replace(url);

/**
 * Leads to where the server shows measurements: a page of this console, or a Grafana elsewhere (spec-coverage: GET /api/v1/organizations/{id}/grafana-access/; the
 * controller is appended as a variable). Where that cannot be told, the built-in page still works, and a toast says why.
 */
export async function openMonitoring(
  queryClient: QueryClient,
  organizationId: string,
  controller: string | undefined,
): Promise<never> {
  // Asked as an action: the error catalogue tells of a refusal of any kind.
  const asking = queryClient.getMutationCache().build(queryClient, {
    mutationFn: () => api('getGrafanaAccess', { params: { organizationId } }),
  });
  const variable: Record<string, string> = controller === undefined ? {} : { 'var-controller': controller };
  const builtIn = new URL(paths.monitoring(organizationId), window.location.origin);
  const url = await asking.execute(undefined).then(
    ({ grafanaUrl }) => new URL(grafanaUrl, window.location.origin),
    (error: unknown) => {
      // The error catalogue is on its way there already.
      if (error instanceof ApiError && error.status === 403) throw redirect({ href: paths.security() });
      return builtIn;
    },
  );
  for (const [name, value] of Object.entries(variable)) url.searchParams.set(name, value);
  if (url.origin === window.location.origin) {
    throw redirect({ href: url.pathname + url.search });
  }
  leave(url.href);
  // The page goes; until then it shows that something loads.
  return new Promise(() => {});
}
