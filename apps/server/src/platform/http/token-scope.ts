import { isForPeople, type Permission, type Route, scopeOfCall } from '@pult/contract';
import { DomainError } from '../errors.ts';
import { type ActingToken, isInScope, type Principal } from './principal.ts';

/** Throws `token_forbidden` unless the token may make the call. What the role of its owner allows is asked by the feature. */
export function requireScope(token: ActingToken, route: Route): void {
  const scope = scopeOfCall(route);
  if (scope === undefined) throw new DomainError('token_forbidden', 'not_for_tokens');
  if (scope !== 'any' && !token.scopes.has(scope)) throw new DomainError('token_scope_missing', { scope });
}

/** The same for what a call does besides, by another permission than its own. */
export function requireInScope(principal: Pick<Principal, 'token'>, scope: Permission): void {
  if (!isInScope(principal, scope)) throw new DomainError('token_scope_missing', { scope });
}

/** Throws `token_forbidden` for what a person must confirm. */
export function refuseConfirmation(route: Route, body: unknown): void {
  if (isForPeople(route, body)) throw new DomainError('token_forbidden', 'needs_confirmation');
}
