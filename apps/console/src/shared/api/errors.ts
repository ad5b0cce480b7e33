import { ApiError, routes } from '@pult/contract';
import { readErrorMessages } from './error-messages.ts';

/** What the catalogue can do to the page; given by the app, replaced in tests. */
export interface ErrorEffects {
  setUnauthorized: () => void;
  goToLogin: () => void;
  /** `reason` is shown there, so that nobody wonders why; `origin`: of the call that was refused. */
  goToSecurity: (reason: string, origin: ErrorOrigin) => void;
  /** `id`: while a toast of that id is shown, there is no second one. */
  showError: (summary: string, id?: string) => void;
  controllerDoesNotExist: (serialNumber: string) => string;
  /** The organization is gone, or the user is no longer in it. */
  leaveOrganization: (organizationId: string, origin: ErrorOrigin) => void;
  serverUnreachable: () => string;
}

export interface ErrorOrigin {
  /** `action`: the user did something and waits for it. `background`: nobody asked for this refresh. */
  kind: 'action' | 'page' | 'background';
}

const controllerPath = '/api/v1/controllers/{serialNumber}/';
const organizationPath = '/api/v1/organizations/{organizationId}/';
const totpCodes = ['totp_required', 'totp_expired'];

interface FailedCall {
  /** As the route table writes it. */
  path: string;
  status: number;
  code?: string | undefined;
}

/** Some calls have no toast of their own (spec-coverage: Exceptions:); their pages show the failure themselves. */
export function isSilent({ path, status, code }: FailedCall): boolean {
  if (code !== undefined && totpCodes.includes(code)) return true;
  if (path.startsWith('/api/v1/auth/totp/') || path === '/api/v1/auth/password/change/') return true;
  if (path === '/api/v1/auth/token/' || path === '/api/v1/users-sign-up/') {
    return status === 400 || status === 401;
  }
  if (path === '/api/v1/controllers-count/' || path.startsWith('/api/v1/groups')) return true;
  // The palette has a place for what went wrong, and asks with every letter.
  if (path === '/api/v1/search/') return true;
  return path === '/api/v1/controllers-activation/validate/';
}

const diagnosticPaths = ['diagnostic/', 'diagnostics/', 'request-diagnostic/'].map(
  (last) => controllerPath + last,
);

/** The tab of the diagnostics shows in place what has failed (spec-coverage: Swallowed:). */
function isSwallowed({ path }: FailedCall): boolean {
  return diagnosticPaths.includes(path);
}

/** These open a dialog where they are needed; all other refusals lead to the security page. */
export function isTotpRelated({ path, code }: FailedCall): boolean {
  return path.startsWith('/api/v1/auth/totp/') || (code !== undefined && totpCodes.includes(code));
}

/** What the call was about: the segment of its address after `/api/v1/controllers/` and the like. */
function readSubject(response: Response): string {
  return decodeURIComponent(/\/api\/v1\/[^/]+\/([^/?]+)/.exec(response.url)?.[1] ?? '');
}

/** Of an organization itself; one of its members or invites may be gone as well. */
function isOrganizationGone({ path, status, code }: FailedCall): boolean {
  if (status !== 404 || !path.startsWith(organizationPath)) return false;
  return path === organizationPath || code === 'organization_not_found';
}

/** What each failed call does to the page (spec-coverage: 401: unauthorized and login) and the rows after it. */
export async function reportError(error: unknown, effects: ErrorEffects, origin: ErrorOrigin): Promise<void> {
  if (!(error instanceof ApiError)) {
    // Nothing answered: pages show it in place, an action has only the toast.
    if (error instanceof TypeError && origin.kind === 'action') {
      effects.showError(effects.serverUnreachable(), 'server-unreachable');
    }
    return;
  }
  const { status, code, route, response } = error;
  const call: FailedCall = { path: routes[route].path, status, code };
  if (status === 401 && route !== 'login') {
    effects.setUnauthorized();
    effects.goToLogin();
    return;
  }
  if (status === 403 && !isTotpRelated(call) && route !== 'deleteController') {
    if (origin.kind === 'background') return;
    effects.goToSecurity((await readErrorMessages(error)).map(withoutFullStop).join('. '), origin);
    return;
  }
  if (isSwallowed(call)) return;
  // Of a service only: its controller is there.
  if (status === 404 && call.path.startsWith(controllerPath) && code !== 'service_not_found') {
    const serialNumber = readSubject(response).toUpperCase();
    effects.showError(effects.controllerDoesNotExist(serialNumber), `controller-gone:${serialNumber}`);
    return;
  }
  if (isOrganizationGone(call)) {
    // Whoever opens one of its pages says so (spec-coverage: /organizations/{organizationId} · 404): one toast, not two.
    if (route === 'getOrganization' && origin.kind === 'page') return;
    effects.leaveOrganization(readSubject(response), origin);
    return;
  }
  if (status >= 500 ? origin.kind !== 'action' : isSilent(call)) return;
  for (const message of await readErrorMessages(error)) effects.showError(withoutFullStop(message));
}

/** A toast's summary has no full stop at its end (spec-coverage: Each message is an error toast). */
function withoutFullStop(message: string): string {
  return message.replace(/\.$/, '');
}
