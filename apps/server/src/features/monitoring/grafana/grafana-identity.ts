import type { IncomingMessage } from 'node:http';
import type { GrafanaAccess } from './grafana-accesses.repository.ts';
import { loginInGrafana } from './grafana-role.ts';

/** Whatever Grafana may take an identity from; Go reads no underscore as a hyphen, a proxy between may. */
const reserved = /^(authorization|x[-_](webauth|jwt|access|ds|grafana[-_](id|device|org))([-_].*)?)$/;

/** Says who asks in the way of Grafana's auth proxy, and takes every other way from the client. */
export function identify({ organizationId, userId, grafanaId }: GrafanaAccess) {
  return {
    isReserved: (name: string) => reserved.test(name),
    added: ['X-WEBAUTH-USER', loginInGrafana(organizationId, userId), 'X-Grafana-Org-Id', String(grafanaId)],
  };
}

/** Where people log in to Grafana by its own passwords, and where the whole of it is administered or watched. */
const closed =
  /^\/(login|logout|signup|metrics|api\/(login|admin|orgs|users?\/(sign-?up|password))|apis\/iam)(\/|\.|$)/;

/**
 * False for what a member has no business at, however the path is written. Grafana's own rights say the same; this
 * holds where they are set otherwise.
 */
export function isOpenPath(request: IncomingMessage, origin: string): boolean {
  try {
    // Put together: by itself `//login` would be another host.
    const { pathname } = new URL(origin + request.url);
    return !closed.test(decodeURIComponent(pathname).replace(/\/+/g, '/').toLowerCase());
  } catch {
    return false;
  }
}
