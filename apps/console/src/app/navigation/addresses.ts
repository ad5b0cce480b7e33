import type { PageProtocol } from '@pult/contract';
import { pageProtocols } from '@pult/contract/values';
import { redirect, useLocation } from '@tanstack/react-router';
import { paths, type SettingsSection, settingsSections } from '../../shared/paths.ts';

/** The query of an address as plain strings: `?serial_number=007` stays text. Of a repeated name the first counts. */
export type Search = Record<string, string>;

export function parseSearch(text: string): Search {
  const search: Search = {};
  for (const [name, value] of new URLSearchParams(text)) search[name] ??= value;
  return search;
}

/** Empty and absent values leave the address. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value));
  }
  return params.size > 0 ? `?${params}` : '';
}

/**
 * The address to go to after login, when it stays on this origin; otherwise undefined. Anyone can send a link with
 * a `redirect` of their own, so what a browser would read as another site or as a script is dropped.
 */
export function safeRedirect(value: string | undefined, origin = window.location.origin): string | undefined {
  // Browsers drop tabs and line feeds and read `\` as `/`: `/\t/host` and `/\host` are other sites.
  if (!value?.startsWith('/') || /[\\\p{Cc}]/u.test(value) || !URL.canParse(value, origin)) return undefined;
  const url = new URL(value, origin);
  // `/.//host` becomes the path `//host`, which is another site again.
  if (url.origin !== origin || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The secret of the link by which the page was opened. */
    linkSecret?: string;
  }
}

/** What stands in the place of a secret in the address of a page that has taken it. */
export const takenSecret = 'token';

/**
 * A page whose link has a secret takes it out of the address, which is shown, kept and shared. It stays with the
 * entry of the tab's history, so that a reload still finds it.
 */
export function takeSecret(secret: string | undefined, bareHref: string): void {
  if (!secret || secret === takenSecret) return;
  throw redirect({ href: bareHref, state: { linkSecret: secret } });
}

export function useLinkSecret(): string | undefined {
  return useLocation({ select: ({ state }) => state.linkSecret });
}

/** Serial numbers stand in capitals in every address (spec-coverage: Serial numbers are normalised to upper case); others are replaced, with their query. */
export function requireUpperCaseSerial(
  serialNumber: string,
  addressOf: (serialNumber: string) => string,
  suffix: { searchStr: string; hash: string },
): void {
  const upperCase = serialNumber.toUpperCase();
  if (upperCase === serialNumber) return;
  const hash = suffix.hash ? `#${suffix.hash}` : '';
  throw redirect({ href: addressOf(upperCase) + suffix.searchStr + hash });
}

/** Only http and ssh are connected to (spec-coverage: Connect protocol limited to http or ssh). */
export function requireProtocol(protocol: string): PageProtocol {
  const known = pageProtocols.find((each) => each === protocol);
  if (known === undefined) throw redirect({ href: paths.root() });
  return known;
}

/** The settings of that name; any other name leads to the general ones. */
export function requireSection(place: { organizationId: string; section: string }): SettingsSection {
  const known = settingsSections.find((each) => each === place.section);
  if (known === undefined) throw redirect({ href: paths.settings(place.organizationId, 'general') });
  return known;
}

/** Where the parts of the one page of settings are now, by the element that each was. */
const movedSections: Readonly<Record<string, SettingsSection>> = {
  security: 'security',
  'sign-in': 'single-sign-on',
  'enrolment-keys': 'enrolment-keys',
  webhooks: 'webhooks',
};

/** Leads on from addresses of pages that once were tabs of the organization's page: bookmarks and letters still have them. */
export function leaveMovedTab(
  organizationId: string,
  { searchStr, hash }: { searchStr: string; hash: string },
): void {
  const { tab = '', person, ...search } = parseSearch(searchStr);
  const moved: Readonly<Record<string, [string, Readonly<Record<string, string | undefined>>]>> = {
    members: [paths.access(organizationId), { kind: 'people', open: hash }],
    access: [paths.access(organizationId), { ...search, open: person }],
    services: [paths.access(organizationId), { kind: 'services' }],
    tunnels: [paths.connections(organizationId), search],
    settings: [paths.settings(organizationId, movedSections[hash] ?? 'general'), {}],
  };
  if (!Object.hasOwn(moved, tab)) return;
  const [path, query] = moved[tab] ?? [paths.organization(organizationId), {}];
  throw redirect({ href: path + stringifySearch(query) });
}
