import {
  type ForwardingProtocol,
  formatTunnelPlace,
  isForwarding,
  lifetimes,
  type OpenTunnelAnswer,
  type PageProtocol,
  readTunnelPlace,
  type TunnelPlace,
  type TunnelProtocol,
} from '@pult/contract';
import { type ControllerCaller, createScope, type Scope } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Actor, Principal } from '../../platform/http/principal.ts';
import { createId, createSecretToken, hashToken } from '../../platform/ids.ts';
import { fingerprintOf } from '../../platform/ssh-fingerprint.ts';
import type { DeviceRouter } from '../devices/index.ts';
import { isSameInterface, type WebInterface } from './http-tunnel/address.ts';
import type { PortRights } from './port-rights.ts';
import type { TunnelKind } from './tunnel-kind.ts';
import type { AskedTarget, TunnelAccess, TunnelsRepository, TunnelTarget } from './tunnels.repository.ts';

interface Dependencies {
  repository: TunnelsRepository;
  ports: PortRights;
  router: DeviceRouter;
  getKind: (protocol: TunnelProtocol) => TunnelKind;
}

type RedirectUrl = Awaited<ReturnType<TunnelKind['prepare']>>;

export function createTunnelsService(
  { db, access, recordAudit, clock }: Core,
  { repository, ports, router, getKind }: Dependencies,
) {
  async function getTarget(scope: Scope, serialNumber: string): Promise<AskedTarget> {
    const target = await repository.getTarget(scope, serialNumber);
    if (!target) throw new DomainError('controller_not_found', { serialNumber });
    return target;
  }

  /** Where a browser will go with the ticket; throws where nothing can be opened now. */
  async function prepare(
    target: TunnelTarget,
    { protocol, port }: TunnelPlace,
    userId: string,
  ): Promise<RedirectUrl> {
    const redirectUrl = await getKind(protocol).prepare(target, port, userId);
    await router.require(target);
    return redirectUrl;
  }

  /** The tunnel and its ticket, of whoever may have it. */
  async function openPrepared(
    holder: Pick<Principal, 'userId' | 'sessionId' | 'sessionExpiresAt'>,
    target: TunnelTarget,
    { protocol, port, redirectUrl, path }: TunnelPlace & { redirectUrl: RedirectUrl; path: string },
    address: string,
  ): Promise<OpenTunnelAnswer> {
    const createdAt = clock.now();
    const longest = new Date(createdAt.getTime() + lifetimes.tunnel * 1000);
    const expiresAt = longest < holder.sessionExpiresAt ? longest : holder.sessionExpiresAt;
    const id = createId();
    const ticket = createSecretToken();
    const { userId, sessionId } = holder;
    const { controllerId, organizationId, serialNumber: subject } = target;
    await repository.createTunnel({
      id,
      userId,
      sessionId,
      controllerId,
      protocol,
      endpointPort: isForwarding(protocol) ? null : port,
      forwardedPort: isForwarding(protocol) ? port : null,
      hash: isForwarding(protocol) ? { key: hashToken(ticket) } : { ticket: hashToken(ticket) },
      ticketExpiresAt: new Date(createdAt.getTime() + lifetimes.tunnelTicket * 1000),
      createdAt,
      expiresAt,
    });
    const endpoint = port === null ? undefined : await repository.findEndpoint(target, port);
    await recordAudit({
      action: 'tunnel.opened',
      userId,
      organizationId,
      subject,
      address,
      details: {
        ...(endpoint && !isForwarding(protocol) ? {} : { protocol }),
        ...(port === null ? {} : { port }),
        ...(endpoint ? { service: endpoint.name } : {}),
      },
    });
    return {
      tunnel: {
        id,
        protocol: formatTunnelPlace({ protocol, port }),
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      },
      tunnelRedirectUrl: redirectUrl({ ticket, path }),
      tunnelKey: ticket,
    };
  }

  return {
    getTarget,
    prepare,
    openPrepared,

    /** For whoever comes by no call: throws what `Access.resolve` does. */
    async requireTarget(actor: Actor, serialNumber: string): Promise<AskedTarget> {
      await access.resolve(actor, 'tunnels.open', { kind: 'controller', id: serialNumber });
      return getTarget(createScope(actor, 'tunnels.open'), serialNumber);
    },

    /** A tunnel that lives as long as the session, 12 h at most, and a ticket for it that is good once, for 60 s. */
    async openTunnel(
      caller: ControllerCaller,
      request: { protocol: string; path?: string | undefined },
    ): Promise<OpenTunnelAnswer> {
      const { path = '/' } = request;
      const { principal } = caller;
      const place = readTunnelPlace(request.protocol);
      if (!place) throw new DomainError('protocol_unsupported', 'unreadable');
      const { protocol, port } = place;
      const target = await getTarget(ports.require(caller, place), caller.controller.serialNumber);
      if (!isForwarding(protocol) && port !== null && !(await repository.findEndpoint(target, port))) {
        throw new DomainError('protocol_unsupported', 'no_service');
      }
      const redirectUrl = await prepare(target, place, principal.userId);
      return openPrepared(principal, target, { ...place, redirectUrl, path }, caller.address);
    },

    /** The next login over SSH pins the key it meets. Does nothing where none is pinned. */
    async forgetHostKey(caller: ControllerCaller): Promise<void> {
      const { scope, controller } = caller;
      await db.transaction().execute(async (transaction) => {
        const forgotten = await repository.forgetHostKey(transaction, scope, controller.serialNumber);
        if (!forgotten) return;
        const { organizationId, key } = forgotten;
        const details = { fingerprint: fingerprintOf(key) };
        await caller.audit('host_key.forgotten', { organizationId, details }, transaction);
      });
    },

    /** Swaps a ticket for the tunnel host's own cookie; undefined for a used, old or foreign ticket. */
    async redeemHttpTicket(
      ticket: string,
      web: WebInterface,
    ): Promise<{ access: TunnelAccess; cookie: string } | undefined> {
      const cookie = createSecretToken();
      const hashes = { hash: hashToken(ticket), cookieHash: hashToken(cookie) };
      const access = await repository.redeemTicket({ ...hashes, protocol: 'http' }, clock.now());
      return access && isSameInterface(access, web) ? { access, cookie } : undefined;
    },

    /** Uses a ticket up for one connection of the very session that asked for it. */
    async redeemTicket(protocol: PageProtocol, ticket: string, principal: Principal): Promise<TunnelAccess> {
      const request = { hash: hashToken(ticket), protocol, cookieHash: null };
      const access = await repository.redeemTicket(request, clock.now());
      if (!access) throw new DomainError('tunnel_ticket_invalid', 'unknown');
      if (access.sessionId !== principal.sessionId)
        throw new DomainError('tunnel_ticket_invalid', 'other_session');
      return access;
    },

    /** What the key of a forwarding tunnel opens, for the very session that asked for it. */
    async requireForwarded(
      protocol: ForwardingProtocol,
      key: string,
      principal: Principal,
    ): Promise<{ access: TunnelAccess; port: number }> {
      const access = await repository.getByCookie(protocol, hashToken(key), clock.now());
      const port = access?.forwardedPort ?? null;
      if (!access || port === null) throw new DomainError('tunnel_ticket_invalid', 'unknown');
      if (access.sessionId !== principal.sessionId)
        throw new DomainError('tunnel_ticket_invalid', 'other_session');
      return { access, port };
    },

    /** Asks again whether what a ticket gave still holds. */
    isHolding: ({ tunnelId }: TunnelAccess): Promise<boolean> =>
      repository.listHolding([tunnelId], clock.now()).then((ids) => ids.includes(tunnelId)),

    getByCookie: (cookie: string, web: WebInterface): Promise<TunnelAccess | undefined> =>
      repository
        .getByCookie('http', hashToken(cookie), clock.now())
        .then((access) => (access && isSameInterface(access, web) ? access : undefined)),

    /** Run by a job every hour. */
    deleteExpired: () => repository.deleteExpired(clock.now()),
  };
}
export type TunnelsService = ReturnType<typeof createTunnelsService>;
