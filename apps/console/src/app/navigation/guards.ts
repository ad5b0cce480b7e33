import { redirect } from '@tanstack/react-router';
import { isAuthorized } from '../../shared/auth/authorization.ts';
import { paths } from '../../shared/paths.ts';

interface Target {
  pathname: string;
  href: string;
}

/** The login address that comes back to the page asked for; to no page, when that was the root. */
export function loginFor(target: Target): string {
  return paths.login(target.pathname === paths.root() ? {} : { redirect: target.href });
}

/** Pages that need a login send everyone else to it (spec, section 2). */
export function requireAuthorization(target: Target): void {
  if (!isAuthorized()) throw redirect({ href: loginFor(target), replace: true });
}

/** The login page has nothing to offer to one who is in already (spec, section 2). */
export function requireNoAuthorization(): void {
  if (isAuthorized()) throw redirect({ href: paths.root(), replace: true });
}
