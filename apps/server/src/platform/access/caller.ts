import type { AuditAction, Locale, Organization, Permission, Role, Route } from '@pult/contract';
import type { AuditDetails, OnlyKnown, RecordAuditEvent } from '../audit.ts';
import type { DatabaseTransaction } from '../db/schema.ts';
import type { Principal } from '../http/principal.ts';
import { requireInScope } from '../http/token-scope.ts';
import {
  type Access,
  type AllowedAccess,
  type Asked,
  type Change,
  requireAccess,
  requireEntry,
} from './access.ts';
import { isFilter, isInBody, type Place, type PlaceInput, placeOf } from './place.ts';
import type { FoundController, FoundGroup, PlaceAccess } from './place-access.repository.ts';
import type { Part } from './roles.repository.ts';
import { createScope, type Scope } from './scope.ts';

/** Who makes a call without a login, and of whom nothing but this is known. */
export interface Visitor {
  /** The client’s. */
  readonly address: string;
  readonly locale: Locale;
  /** Writes down what they do, of the user that they turn out to be, if any. */
  audit<Details extends AuditDetails>(
    action: AuditAction,
    said: Said<Details> & { subject: string; userId?: string | undefined },
    transaction?: DatabaseTransaction,
  ): Promise<void>;
}

export function createVisitor(
  recordAudit: RecordAuditEvent,
  { address, locale }: Pick<Visitor, 'address' | 'locale'>,
): Visitor {
  return {
    address,
    locale,
    audit: (action, said, transaction) => recordAudit({ action, ...said, address }, transaction),
  };
}

/** What the audit log says of a deed, where it is not what the call is about. */
interface Said<Details> {
  /** The controller’s serial number, the name of the group or the organization, or the caller’s own. */
  subject?: string;
  organizationId?: string | undefined;
  details?: Details & OnlyKnown<Details>;
}

/** Who makes a call, as far as it was let in. Good for this call alone. */
export interface Caller {
  readonly principal: Principal;
  readonly userId: string;
  /** The client’s. */
  readonly address: string;
  readonly locale: Locale;
  /** Writes down what they do. */
  audit<Details extends AuditDetails>(
    action: AuditAction,
    said?: Said<Details>,
    transaction?: DatabaseTransaction,
  ): Promise<void>;
  /** Where they have another permission, for what is read or changed besides. */
  scopeFor(permission: Permission): Scope;
  /** What they do besides, by another permission than the call’s or at another place: of their token’s scope and of their role. */
  require(permission: Permission, place: Place): Promise<AllowedAccess>;
}

/** Of a call with a permission. */
export interface ScopedCaller extends Caller {
  /** Where they have it. */
  readonly scope: Scope;
  /** Changes something at another part, or of an organization that the handler has found; asked for first, as the row asks. */
  changeAt<T>(part: { id: string; at: Part }, act: Change<T>): Promise<T>;
}

const isDecided: unique symbol = Symbol('decided');

/** What a handler answers that asked for the permission itself: nothing but its caller makes one. */
export interface Decided<Answer> {
  readonly [isDecided]: true;
  readonly answer: Answer;
}

/** Of what a handler answers, which says besides by what right it does. */
export function answerOf(decided: unknown): unknown {
  const isOne = typeof decided === 'object' && decided !== null && isDecided in decided;
  return isOne ? (decided as Decided<unknown>).answer : decided;
}

/** Of a call whose row leaves it to the handler to ask. */
export interface AskingCaller extends ScopedCaller {
  /** By what they were asked for, or by the scope that held what the answer is about in its SQL. */
  decide<Answer>(by: Asked | Scope, answer: Answer): Decided<Answer>;
}

/** Of a call about something of an organization. */
export interface OrganizationCaller extends ScopedCaller {
  readonly organization: Organization;
  /** At the place that the call is about. */
  readonly role: Role | null;
  readonly rootRole: Role | null;
  /** See Access.change: by the permission of the call, at its place. */
  change<T>(act: Change<T>): Promise<T>;
}

export interface ControllerCaller extends Omit<OrganizationCaller, 'change'> {
  readonly controller: FoundController;
}

export interface GroupCaller extends OrganizationCaller {
  readonly group: FoundGroup;
}

/** Of a call about an organization that takes no permission: whoever has anything of it, whatever login it takes to enter. */
export type MemberCaller = Omit<OrganizationCaller, 'scope' | 'changeAt'>;

/** By what its row says that the call is about. */
export type CallerOf<R extends Route> = R['access'] extends 'none'
  ? Visitor
  : R['on'] extends 'controller' | 'diagnostic'
    ? ControllerCaller
    : R['on'] extends 'group'
      ? GroupCaller
      : R['on'] extends 'move' | 'deletedGroup' | { organization: string }
        ? R['permission'] extends Permission
          ? OrganizationCaller
          : MemberCaller
        : R['on'] extends 'handler'
          ? AskingCaller
          : R['permission'] extends Permission
            ? ScopedCaller
            : Caller;

/** All that a caller can have. */
type AnyCaller = ControllerCaller & GroupCaller & AskingCaller;

/** A login with what it is at the place that was asked for with it. */
export interface FoundPrincipal extends Principal {
  readonly access: PlaceAccess | undefined;
}

interface Call {
  route: Route;
  principal: Principal;
  address: string;
  locale: Locale;
  input: PlaceInput;
  /** Read with the login, where the place of the call stands in its path or its query. */
  access: PlaceAccess | undefined;
}

/** The last of what a row forbids: entry and role at what the call is about. Throws what `requireAccess` does. */
export function createAdmission({ access, recordAudit }: { access: Access; recordAudit: RecordAuditEvent }) {
  return async function admit(call: Call): Promise<AnyCaller> {
    const { route, principal, address, locale, input } = call;
    const { permission } = route;
    const { userId } = principal;
    const besides = route.scopeOfBody?.(input.body);
    if (besides) requireInScope(principal, besides);
    const place = placeOf(route, input);
    const found = place && isInBody(route) ? await access.find(principal, place) : call.access;
    // Of a list with a filter its scope decides; only what is missing to enter is said.
    if (isFilter(route) && found) requireEntry(principal, found.organization);
    const admitted =
      place && !isFilter(route) ? requireAccess(principal, place, found, permission) : undefined;
    const subject =
      admitted?.controller?.serialNumber ?? admitted?.group?.name ?? admitted?.organization.name;
    const caller: Partial<AnyCaller> & Caller = {
      ...admitted,
      principal,
      userId,
      address,
      locale,
      audit: (action, { details, ...said } = {}, transaction) =>
        recordAudit(
          {
            action,
            userId,
            organizationId: said.organizationId ?? admitted?.organization.id,
            subject: said.subject ?? subject ?? principal.email,
            address,
            ...(details === undefined ? {} : { details }),
          },
          transaction,
        ),
      scopeFor: (other) => createScope(principal, other),
      async require(wanted, at) {
        requireInScope(principal, wanted);
        return access.resolve(principal, wanted, at);
      },
      ...(permission === undefined
        ? {}
        : {
            scope: createScope(principal, permission),
            decide: (_, answer) => ({ [isDecided]: true, answer }),
            async changeAt(part, act) {
              const other = { kind: 'organization', ...part } as const;
              await access.resolve(principal, permission, other);
              return access.change(principal, { place: other, organizationId: part.id }, permission, act);
            },
          }),
      ...(admitted && place
        ? {
            change: (act) =>
              access.change(principal, { place, organizationId: admitted.organization.id }, permission, act),
          }
        : {}),
    };
    // What is missing the type of the row’s caller does not have: see CallerOf.
    return caller as AnyCaller;
  };
}
