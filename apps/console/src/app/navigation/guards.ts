import { ApiError, locales } from '@pult/contract';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import i18next from 'i18next';
import { api } from '../../shared/api/client.ts';
import { currentUserQuery, organizationQuery } from '../../shared/api/queries.ts';
import { isAuthorized, setAuthorized } from '../../shared/auth/authorization.ts';
import { loadPart } from '../../shared/page/load-part.ts';
import { paths } from '../../shared/paths.ts';
import { shortenName, showToast } from '../../shared/toasts/show-toast.tsx';

interface Target {
  pathname: string;
  href: string;
}

/** The login address that comes back to the page asked for; to no page, when that was the root. */
export function loginFor(target: Target): string {
  return paths.login(target.pathname === paths.root() ? {} : { redirect: target.href });
}

/**
 * Pages that need a login send everyone else to it (spec-coverage: Navigation: auth pages redirect to login). As every
 * redirect it takes the place of what was asked for: the router replaces the entry of the history by itself.
 */
export function requireAuthorization(target: Target): void {
  if (!isAuthorized()) throw redirect({ href: loginFor(target) });
}

/** The login page has nothing to offer to one who is in already (spec-coverage: /login · already authorized goes to root). */
export function requireNoAuthorization(): void {
  if (isAuthorized()) throw redirect({ href: paths.root() });
}

/**
 * One who is logged in and comes to sign up is logged out and told why (spec-coverage: /signup · an authorized user is
 * logged out and told why); where there is no form, how to get one.
 */
export async function logOutForSignup({ hasForm }: { hasForm: boolean }): Promise<void> {
  if (!isAuthorized()) return;
  try {
    await api('logout');
  } catch {
    // A session that could not be ended is replaced by the new account's at its login.
  }
  setAuthorized(false);
  showToast({
    severity: 'info',
    summary: i18next.t(hasForm ? 'accountNotAddedByInvite' : 'accountNeedsInvite', { ns: 'app' }),
    id: 'signup-arrival',
  });
}

/**
 * Pages that need a login need its user: a failure reaches the error view that replaces the page (spec-coverage: Auth
 * pages: an error view replaces the page).
 */
export async function loadCurrentUser(
  queryClient: QueryClient,
  target: { pathname: string; href: string },
): Promise<void> {
  try {
    await queryClient.ensureQueryData(currentUserQuery);
  } catch (error) {
    // The error catalogue is on its way to login already; the page must not show an error meanwhile.
    if (error instanceof ApiError && error.status === 401) throw redirect({ href: loginFor(target) });
    throw error;
  }
}

/** Others are led to the root, and told why. */
export function requireAdministrator(queryClient: QueryClient): void {
  // Loaded by the guard of all pages inside.
  const user = queryClient.getQueryData(currentUserQuery.queryKey);
  if (user?.isAdministrator) return;
  showToast({
    severity: 'info',
    summary: i18next.t('administratorsOnly', { ns: 'app' }),
    id: 'administrators-only',
  });
  throw redirect({ href: paths.root() });
}

/** To the root, which tells of it (spec-coverage: any other path · redirects to /). */
export function leaveNoSuchPage({ pathname }: Pick<Target, 'pathname'>): never {
  showToast({
    severity: 'info',
    summary: i18next.t('noSuchPage', { ns: 'app', path: shortenName(readPath(pathname)) }),
    id: `no-such-page:${pathname}`,
  });
  throw redirect({ href: paths.root() });
}

/** As people write it; what is no text stays as it is. */
function readPath(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

/**
 * Pages of an organization load it first; one that is gone leads to the list, with one message
 * (spec-coverage: /organizations/{organizationId} · 404 shows the message).
 * One that requires a sign-in by its provider stays at its address, which says so.
 * From one of its pages to the next, and while a list's filter is typed, what is known of it is enough.
 */
export async function loadOrganization(
  queryClient: QueryClient,
  organizationId: string,
  cause: 'enter' | 'stay' | 'preload',
): Promise<{ isSignInMissing: boolean }> {
  const query = { ...organizationQuery(organizationId), meta: { isAwaited: true } };
  try {
    const { isSignInMissing = false } =
      cause === 'stay' ? await queryClient.ensureQueryData(query) : await queryClient.fetchQuery(query);
    return { isSignInMissing };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'sign_in_required') {
      // What is known of it is of before.
      queryClient.removeQueries({ queryKey: query.queryKey });
      return { isSignInMissing: true };
    }
    // The error catalogue has sent the user to login or to the security page.
    if (error.status === 401 || error.status === 403) throw redirect({ href: paths.security() });
    // A hand-made id that is none is refused as a bad field.
    if (error.status !== 404 && error.status !== 400) throw error;
    tellOrganizationIsGone(organizationId);
    throw redirect({ href: paths.organizations() });
  }
}

/** Once, whoever finds out (spec-coverage: /organizations/{organizationId} · 404 shows the message). */
export function tellOrganizationIsGone(organizationId: string): void {
  showToast({
    severity: 'error',
    summary: i18next.t('organizationDoesNotExist', { ns: 'app' }),
    id: `organization-gone:${organizationId}`,
  });
}

/** Adds the texts of the pages that need a login, which the login page does without. */
export async function loadInsideTexts(): Promise<void> {
  if (i18next.hasResourceBundle(locales[0], 'organizations')) return;
  const { insideNamespaces } = await loadPart(() => import('../inside-messages.ts'));
  addTexts(insideNamespaces);
}

/** Loads a page and adds the texts of those that are not opened at once by everybody. */
export async function loadPage<Page>(load: () => Promise<Page>): Promise<Page> {
  const [page] = await Promise.all([load(), loadPageTexts()]);
  return page;
}

async function loadPageTexts(): Promise<void> {
  if (i18next.hasResourceBundle(locales[0], 'audit')) return;
  const { pageNamespaces } = await loadPart(() => import('../page-messages.ts'));
  addTexts(pageNamespaces);
}

/** Adds the texts of the window of a connection, which all other pages do without. */
export async function loadConnectTexts(): Promise<void> {
  if (i18next.hasResourceBundle(locales[0], 'tunnels')) return;
  const { connectNamespaces } = await loadPart(() => import('../connect-messages.ts'));
  addTexts(connectNamespaces);
}

function addTexts(namespaces: Readonly<Record<string, Record<(typeof locales)[number], object>>>): void {
  for (const [name, texts] of Object.entries(namespaces)) {
    for (const locale of locales) i18next.addResourceBundle(locale, name, texts[locale]);
  }
}
