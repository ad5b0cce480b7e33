import { lifetimes } from '@pult/contract';
import type { OrganizationCaller } from '../../../platform/access/index.ts';
import type { Core } from '../../../platform/core.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import { createId, createSecretToken, hashToken } from '../../../platform/ids.ts';
import { dashboard } from './dashboard.ts';
import type { GrafanaRepository } from './grafana.repository.ts';
import type { GrafanaAccess, GrafanaAccessesRepository } from './grafana-accesses.repository.ts';
import { organizationOfPath, readGrafanaPath } from './grafana-path.ts';
import type { GrafanaSync } from './grafana-sync.ts';

interface Dependencies {
  accesses: GrafanaAccessesRepository;
  repository: GrafanaRepository;
  sync: GrafanaSync;
  /** Of Grafana as browsers see it. */
  origin: string;
}

/** Who may look at Grafana, and by what their browser proves it there. */
export function createGrafanaAccessService(
  { access, clock }: Core,
  { accesses, repository, sync, origin }: Dependencies,
) {
  return {
    /** The address of the dashboard; opening it asks for a ticket where there is no cookie yet. Throws `grafana_unavailable`. */
    async getUrl({ organization, userId }: OrganizationCaller): Promise<string> {
      const grafanaId = await sync.ensure(organization.id, userId);
      return `${origin}${dashboard.path}?${new URLSearchParams({ orgId: String(grafanaId) })}`;
    },

    /** A ticket for a page of Grafana that says by `orgId` whose it is, good once and for 60 s. */
    async openPath(principal: Principal, given: string): Promise<string> {
      const path = readGrafanaPath(given, origin) ?? '/';
      const grafanaId = organizationOfPath(path, origin);
      const organizationId = grafanaId && (await repository.getOrganizationId(grafanaId));
      if (!organizationId) throw new DomainError('organization_not_found');
      const place = { kind: 'organization', id: organizationId, at: 'root' } as const;
      await access.resolve(principal, 'telemetry.read', place);
      await sync.ensure(organizationId, principal.userId);
      const createdAt = clock.now();
      const longest = new Date(createdAt.getTime() + lifetimes.tunnel * 1000);
      const ticket = createSecretToken();
      await accesses.createAccess({
        id: createId(),
        userId: principal.userId,
        sessionId: principal.sessionId,
        organizationId,
        path,
        ticketHash: hashToken(ticket),
        ticketExpiresAt: new Date(createdAt.getTime() + lifetimes.tunnelTicket * 1000),
        createdAt,
        expiresAt: longest < principal.sessionExpiresAt ? longest : principal.sessionExpiresAt,
      });
      return ticket;
    },

    /** Swaps a ticket for a cookie; undefined for a used or old one. */
    async redeem(ticket: string): Promise<{ access: GrafanaAccess; cookie: string } | undefined> {
      const cookie = createSecretToken();
      const found = await accesses.redeemTicket(hashToken(ticket), hashToken(cookie), clock.now());
      return found && { access: found, cookie };
    },

    getByCookie: (cookie: string): Promise<GrafanaAccess | undefined> =>
      accesses.getByCookie(hashToken(cookie), clock.now()),

    /** Run by a job every hour. */
    deleteExpired: () => accesses.deleteExpired(clock.now()),
  };
}
export type GrafanaAccessService = ReturnType<typeof createGrafanaAccessService>;
