import {
  lifetimes,
  type OpenTunnelAnswer,
  readEndpointPort,
  readTcpPort,
  type TunnelProtocol,
  tcpStreamPath,
  tunnelProtocols,
} from '@pult/contract';
import { type ControllerCaller, createScope, type Scope } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Actor, Principal } from '../../platform/http/principal.ts';
import { createId, createSecretToken, hashToken } from '../../platform/ids.ts';
import { fingerprintOf } from '../../platform/ssh-fingerprint.ts';
import type { DeviceReach } from '../devices/index.ts';
import { isSameInterface, type WebInterface } from './http-tunnel/address.ts';
import type { PortRights, PortUse } from './port-rights.ts';
import type { TunnelKind } from './tunnel-kind.ts';
import type { AskedTarget, TunnelAccess, TunnelsRepository, TunnelTarget } from './tunnels.repository.ts';

/** On the tunnel host: where a ticket is swapped for the tunnel's cookie. */
export const ticketPath = '/.pult/open';

interface Dependencies {
  repository: TunnelsRepository;
  ports: PortRights;
  links: DeviceReach;
  getKind: (protocol: TunnelProtocol) => TunnelKind;
}

type RedirectUrl = Awaited<ReturnType<TunnelKind['prepare']>>;

/** What a tunnel is asked to: a protocol, the port of a named endpoint, or any TCP port. */
function readProtocol(text: string): PortUse {
  const protocol = tunnelProtocols.find((each) => each === text);
  if (protocol) return { protocol, port: null };
  const tcpPort = readTcpPort(text);
  if (tcpPort !== undefined) return { protocol: 'tcp', port: tcpPort };
  const port = readEndpointPort(text);
  if (port === undefined) throw new DomainError('protocol_unsupported', 'unreadable');
  return { protocol: 'http', port };
}

/** The same as the answer names it. */
function nameOfPlace({ protocol, port }: PortUse): string {
  if (port === null) return protocol;
  return protocol === 'tcp' ? `tcp-${port}` : String(port);
}

export function createTunnelsService(
  { db, access, recordAudit, clock, publicUrl }: Core,
  { repository, ports, links, getKind }: Dependencies,
) {
  async function getTarget(scope: Scope, serialNumber: string): Promise<AskedTarget> {
    const target = await repository.getTarget(scope, serialNumber);
    if (!target) throw new DomainError('controller_not_found', { serialNumber });
    return target;
  }

  /** Where a browser will go with the ticket; throws where nothing can be opened now. */
  async function prepare(
    target: TunnelTarget,
    { protocol, port }: PortUse,
    userId: string,
  ): Promise<RedirectUrl> {
    const redirectUrl =
      protocol === 'tcp'
        ? () => publicUrl.replace(/^http/, 'ws') + tcpStreamPath
        : await getKind(protocol).prepare(target, port, userId);
    await links.require(target);
    return redirectUrl;
  }

  /** The tunnel and its ticket, of whoever may have it. */
  async function openPrepared(
    holder: Pick<Principal, 'userId' | 'sessionId' | 'sessionExpiresAt'>,
    target: TunnelTarget,
    { protocol, port, redirectUrl, path }: PortUse & { redirectUrl: RedirectUrl; path: string },
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
      endpointPort: protocol === 'tcp' ? null : port,
      forwardedPort: protocol === 'tcp' ? port : null,
      hash: protocol === 'tcp' ? { key: hashToken(ticket) } : { ticket: hashToken(ticket) },
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
        ...(endpoint && protocol !== 'tcp' ? {} : { protocol }),
        ...(port === null ? {} : { port }),
        ...(endpoint ? { service: endpoint.name } : {}),
      },
    });
    return {
      tunnel: {
        id,
        protocol: nameOfPlace({ protocol, port }),
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
      const place = readProtocol(request.protocol);
      const { protocol, port } = place;
      const target = await getTarget(ports.require(caller, place), caller.controller.serialNumber);
      if (protocol === 'http' && port !== null && !(await repository.findEndpoint(target, port))) {
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
    async redeemTicket(
      protocol: TunnelProtocol,
      ticket: string,
      principal: Principal,
    ): Promise<TunnelAccess> {
      const request = { hash: hashToken(ticket), protocol, cookieHash: null };
      const access = await repository.redeemTicket(request, clock.now());
      if (!access) throw new DomainError('tunnel_ticket_invalid', 'unknown');
      if (access.sessionId !== principal.sessionId)
        throw new DomainError('tunnel_ticket_invalid', 'other_session');
      return access;
    },

    /** What the key of a tcp tunnel opens, for the very session that asked for it. */
    async requireTcp(key: string, principal: Principal): Promise<{ access: TunnelAccess; port: number }> {
      const access = await repository.getByCookie('tcp', hashToken(key), clock.now());
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
