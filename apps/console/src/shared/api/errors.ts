import { ApiError, type ErrorCode, routes } from '@pult/contract';
import { markToasted, readErrorMessages } from './error-messages.ts';

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
  /** It requires a sign-in by its provider; undefined where the call does not tell which. */
  closeOrganization: (organizationId: string | undefined, reason: string, origin: ErrorOrigin) => void;
  serverUnreachable: () => string;
}

/** Where a call differs from the catalogue; stands at the call, in the `meta` of its query or mutation. */
export interface CallErrors {
  /**
   * Its page shows these statuses itself, so there is no toast. `refusals`: all below 500. `all`: whatever fails, also
   * where the controller is gone.
   */
  inPlace?: readonly number[] | 'refusals' | 'all';
  /**
   * These statuses, or refusals for these reasons, lead to no other page: what 401 and 403 mean elsewhere, they do not mean
   * here. Each such 403 stands with its reason in docs/spec-lines.md, at 8.02.
   */
  stays?: readonly (401 | 403 | ErrorCode)[];
}

export interface ErrorOrigin {
  /** `action`: the user did something and waits for it. `background`: nobody asked for this refresh. */
  kind: 'action' | 'page' | 'background';
  call?: CallErrors | undefined;
}

const controllerPath = '/api/v1/controllers/{serialNumber}/';
const organizationPath = '/api/v1/organizations/{organizationId}/';

interface FailedCall {
  /** As the route table writes it. */
  path: string;
  status: number;
  code?: string | undefined;
}

/** A call that waits for a code: the dialog that asks for it is on the page. */
function isConfirmationAsked({ code }: FailedCall): boolean {
  return code === 'totp_required' || code === 'totp_expired';
}

function isShownInPlace({ status }: FailedCall, { inPlace = [] }: CallErrors): boolean {
  return typeof inPlace === 'string' ? true : inPlace.includes(status);
}

/** What 401 and 403 mean elsewhere is not meant. */
function isStaying({ status, code }: FailedCall, { stays = [] }: CallErrors): boolean {
  return stays.some((each) => each === status || each === code);
}

/** What the call was about: the segment of its address after `/api/v1/controllers/` and the like. */
function readSubject(response: Response): string {
  return decodeURIComponent(/\/api\/v1\/[^/]+\/([^/?]+)/.exec(response.url)?.[1] ?? '');
}

/** Which organization a call was about, as far as its address says. */
function readOrganization({ path }: FailedCall, response: Response): string | undefined {
  if (path.startsWith(organizationPath)) return readSubject(response) || undefined;
  return new URLSearchParams(response.url.split('?')[1]).get('organization_id') ?? undefined;
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
      markToasted(error);
      effects.showError(effects.serverUnreachable(), 'server-unreachable');
    }
    return;
  }
  const { status, code, route, response } = error;
  const failed: FailedCall = { path: routes[route].path, status, code };
  const { call = {} } = origin;
  if (status === 401 && !isStaying(failed, call)) {
    effects.setUnauthorized();
    effects.goToLogin();
    return;
  }
  if (status === 403 && !isConfirmationAsked(failed) && !isStaying(failed, call)) {
    // Whoever opens one of its pages shows that.
    if (code === 'sign_in_required' && route === 'getOrganization' && origin.kind === 'page') return;
    const reason = (await readErrorMessages(error)).map(withoutFullStop).join('. ');
    if (code === 'sign_in_required') {
      effects.closeOrganization(readOrganization(failed, response), reason, origin);
    } else effects.goToSecurity(reason, origin);
    return;
  }
  if (call.inPlace === 'all') return;
  // Of a service only: its controller is there.
  if (status === 404 && failed.path.startsWith(controllerPath) && code !== 'service_not_found') {
    markToasted(error);
    const serialNumber = readSubject(response).toUpperCase();
    effects.showError(effects.controllerDoesNotExist(serialNumber), `controller-gone:${serialNumber}`);
    return;
  }
  if (isOrganizationGone(failed)) {
    // Whoever opens one of its pages says so (spec-coverage: /organizations/{organizationId} · 404): one toast, not two.
    if (route === 'getOrganization' && origin.kind === 'page') return;
    effects.leaveOrganization(readSubject(response), origin);
    return;
  }
  const isSilent = isConfirmationAsked(failed) || isShownInPlace(failed, call);
  if (status >= 500 ? origin.kind !== 'action' : isSilent) return;
  // Before anything is awaited: the page is drawn meanwhile.
  markToasted(error);
  for (const message of await readErrorMessages(error)) effects.showError(withoutFullStop(message));
}

/** A toast's summary has no full stop at its end (spec-coverage: Each message is an error toast). */
function withoutFullStop(message: string): string {
  return message.replace(/\.$/, '');
}
