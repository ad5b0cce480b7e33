import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Permission } from './permissions.ts';
import type { TotpScope } from './totp.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface WithText<Name extends string, Text = string> extends z.ZodObject {
  readonly shape: Readonly<Record<Name, z.ZodType<Text>>>;
}

/**
 * An organization that a call names, and where in it the permission is needed. `root`: of the whole of it. `anywhere`: of some part; what
 * the call reads or changes keeps to that by its scope. A group that the body names, or null for the root.
 */
interface OrganizationPlace<Name extends string, At = 'root' | 'anywhere'> {
  readonly organization: Name;
  readonly at: At;
}

/** Such a call, with the schema that has what it names. */
type OfOrganization =
  | { readonly on: OrganizationPlace<'params.organizationId'>; readonly params: WithText<'organizationId'> }
  | { readonly on: OrganizationPlace<'query.organization_id'>; readonly query: WithText<'organization_id'> }
  | {
      readonly on: OrganizationPlace<'body.organization'>;
      readonly body: z.ZodType<{ organization: string }>;
    }
  | {
      readonly on: OrganizationPlace<'body.organization', { readonly group: 'body.parent' }>;
      readonly body: WithText<'organization'> & WithText<'parent', string | null | undefined>;
    };

/** Whom a call lets in, and what it is about: the server asks for the permission there before the call is made. */
type Access =
  | { readonly access: 'none'; readonly permission?: undefined; readonly on?: undefined }
  | { readonly access: 'administrator'; readonly permission?: undefined; readonly on: 'installation' }
  /**
   * Of no permission. `self`: the caller’s own account. `list`: what of all organizations is the caller’s to see. `secret`: what a token
   * in the body stands for. `installation`: what all may know of it. An organization: whoever has anything of it may.
   */
  | {
      readonly access: 'user';
      readonly permission?: undefined;
      readonly on: 'self' | 'list' | 'secret' | 'installation';
    }
  | ({ readonly access: 'user'; readonly permission?: undefined } & OfOrganization)
  | ({ readonly access: 'user'; readonly permission: Permission } & OfOrganization)
  | {
      readonly access: 'user';
      readonly permission: Permission;
      /**
       * `list`: as above. `handler`: no row can say where, so the handler asks for it itself; these are few, and a test knows them by
       * name.
       */
      readonly on: 'list' | 'handler';
    }
  | {
      readonly access: 'user';
      readonly permission: Permission;
      readonly on: 'controller';
      readonly params: WithText<'serialNumber'>;
    }
  | {
      readonly access: 'user';
      readonly permission: Permission;
      /** `deletedGroup`: where it was, of which nothing but the organization is left. */
      readonly on: 'group' | 'deletedGroup';
      readonly params: WithText<'groupId'>;
    }
  | {
      readonly access: 'user';
      readonly permission: Permission;
      /** Controllers that were moved. */
      readonly on: 'move';
      readonly params: WithText<'moveId'>;
    }
  | {
      readonly access: 'user';
      readonly permission: Permission;
      /** That of which it is. */
      readonly on: 'diagnostic';
      readonly params: WithText<'id'>;
    };

/** One call of the API: everything a server, a client and the documentation need to know about it. */
export type Route = Access & Call;

interface Call {
  readonly method: Method;
  /** With `{name}` for parameters and the trailing slash exactly as the spec writes it. */
  readonly path: string;
  /**
   * `none`: works without a login. `user`: needs one. `administrator`: that of an administrator of the installation, who
   * has no right in any organization by being one; others get `administrator_required`.
   */
  readonly access: 'none' | 'user' | 'administrator';
  /**
   * `false`: not counted among the changes that its user may make in a while, as it changes nothing although its method is not
   * GET, or users get rid of an intruder by it.
   */
  readonly rateLimited?: boolean;
  /**
   * Served while the server’s disk is full, though its method is not GET: it only reads, or it is by what somebody gets out
   * or gets rid of an intruder.
   */
  readonly isServedWhenFull?: boolean;
  /** Checked at what the call is about. */
  readonly permission?: Permission | undefined;
  /**
   * How a token (`pult_…`) may make a call of no permission: `any` lets each token, otherwise the scope that it needs. A call
   * with neither refuses tokens. `any` with a permission: the scope need not be there, the role still must.
   */
  readonly token?: 'any' | Permission;
  /** Further scopes that a token needs for such a body: its change counts as one by that permission too. */
  readonly scopeOfBody?: (body: unknown) => Permission | undefined;
  /**
   * Of a call without a permission: served as well to a session that an organization’s identity provider has opened, which is
   * good for that organization alone. All others of these take a login by the account’s own password.
   */
  readonly allowScopedSession?: true;
  /**
   * A token passes the confirmation of the call by naming its scope, which is only there where somebody chose it. All
   * other confirmations refuse tokens, whether or not their owner has TOTP.
   */
  readonly isConfirmedByScope?: boolean;
  /** A user with TOTP has confirmed this scope a moment ago; otherwise 403 `totp_required` or `totp_expired`. */
  readonly confirmation?: TotpScope;
  /** Only such a body needs the confirmation; without it every call does. */
  readonly needsConfirmation?: (body: unknown) => boolean;
  /**
   * Parameters that cannot name anything are answered like what does not exist: the first with the first 404 of
   * `errors`, the second with the second.
   */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The largest body, where the 64 KiB of all others are too few. */
  readonly maxBodyBytes?: number;
  /** Status of success: 204 has no answer. */
  readonly status: 200 | 201 | 202 | 204;
  readonly answer?: z.ZodType;
  /** `events`: a stream of server-sent events, each of the shape `answer`. `csv`: a table as a file. `file`: bytes. */
  readonly kind?: 'json' | 'events' | 'csv' | 'file';
  /** What a call of JSON answers instead to whoever accepts it: all of a list as a file. */
  readonly alsoAnswers?: 'text/csv';
  /** The errors special to this call, besides those of its access, parameters and body. */
  readonly errors?: readonly ErrorCode[];
  readonly summary: string;
}

/** Whether the call is one of those of which a user may make so many in a while; beyond, `too_many_changes`. */
export function isRateLimited({ access, method, rateLimited = true }: Route): boolean {
  return access !== 'none' && method !== 'GET' && rateLimited;
}

/** Whether the call is refused with `storage_full` while the server’s disk is full. */
export function needsRoom({ method, isServedWhenFull = false }: Route): boolean {
  return method !== 'GET' && !isServedWhenFull;
}

/** What a token needs for the call: a scope, nothing (`any`), or what no token has (undefined). */
export function scopeOfCall(route: Route): Permission | 'any' | undefined {
  if (route.access === 'none') return 'any';
  if (route.access === 'administrator') return undefined;
  return route.token ?? route.permission;
}

/** Whether a call with this body is refused to every token: it wants to be confirmed by a person. */
export function isForPeople(route: Route, body: unknown): boolean {
  if (!route.confirmation || route.isConfirmedByScope) return false;
  return route.needsConfirmation?.(body) ?? true;
}

/** Whether a session that an organization’s identity provider has opened is refused the call, in that organization too. */
export function needsOwnLogin(route: Route): boolean {
  if (route.access === 'none' || route.permission !== undefined) return false;
  return route.access === 'administrator' || (route.token !== 'any' && !route.allowScopedSession);
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
type Input<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What the handler of a route gets: parsed and normalized. */
export interface RouteInput<R extends Route> {
  params: Output<R['params']>;
  query: Output<R['query']>;
  body: Output<R['body']>;
}
export type RouteAnswer<R extends Route> = R['answer'] extends z.ZodType ? z.output<R['answer']> : undefined;

/** What a caller of a route gives: only what the route has. */
export type RouteArguments<R extends Route> = (R['params'] extends z.ZodType
  ? { params: Input<R['params']> }
  : object) &
  (R['query'] extends z.ZodType
    ? { query?: Readonly<Record<string, string | number | boolean | undefined>> }
    : object) &
  (undefined extends Input<R['body']> ? { body?: Input<R['body']> } : { body: Input<R['body']> });
