import type { Route } from '@pult/contract';
import type { TestServer } from '@pult/testkit/in-process';
import { createAuditLog } from '../audit.ts';
import type { Principal } from '../http/principal.ts';
import { type CallerOf, createAccess, createAdmission, placeOf } from './index.ts';

/** Whom the handler of a row would get for a call by somebody. */
export function createCallers({ db, clock }: TestServer) {
  const access = createAccess(db);
  const admit = createAdmission({ access, recordAudit: createAuditLog(db, clock).record });
  return async <R extends Route>(
    route: R,
    principal: Principal,
    params: Record<string, string>,
  ): Promise<CallerOf<R>> => {
    const place = placeOf(route, { params });
    const found = place && (await access.find(principal, place));
    const call = {
      route,
      principal,
      address: '192.0.2.1',
      locale: 'en',
      input: { params },
      access: found,
    } as const;
    // All that any row's caller has.
    return (await admit(call)) as CallerOf<R>;
  };
}
