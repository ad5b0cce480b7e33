import { randomInt, timingSafeEqual } from 'node:crypto';
import {
  type CreatedGuestLink,
  type GuestAnswer,
  type GuestLink,
  lifetimes,
  limits,
  type OrganizationGuestLink,
  type PageProtocol,
  pageProtocols,
  readEndpointPort,
} from '@pult/contract';
import type { ControllerCaller, OrganizationCaller } from '../../../platform/access/index.ts';
import type { Core } from '../../../platform/core.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../../platform/errors.ts';
import { createId, createSecretToken, hashToken } from '../../../platform/ids.ts';
import { toNetwork } from '../../../platform/network.ts';
import type { RateLimiter } from '../../../platform/rate-limit.ts';
import { createTokenBuckets } from '../../../platform/token-buckets.ts';
import type { PortRights } from '../port-rights.ts';
import type { TunnelsRepository } from '../tunnels.repository.ts';
import type { TunnelsService } from '../tunnels.service.ts';
import type { GuestLinksRepository, GuestLogin, OpenGuestLink } from './guest-links.repository.ts';

interface Dependencies {
  repository: GuestLinksRepository;
  tunnelsRepository: Pick<TunnelsRepository, 'findEndpoint'>;
  tunnels: Pick<TunnelsService, 'openPrepared' | 'prepare' | 'getTarget'>;
  ports: Pick<PortRights, 'takesForward'>;
  rateLimiter: RateLimiter;
}

interface GuestLinkRequest {
  service: string;
  name: string;
  expiresAt: string;
  uses: number;
  isReadOnly: boolean;
}

/** A guest who has come in; the secret is the cookie of a terminal. */
export interface Entered {
  answer: GuestAnswer;
  cookie: { guestId: string; secret: string; expiresAt: Date };
}

const linksPerHour = 120;
/** Links that are tried from one network, right ones too: their tokens cannot be guessed, and asking costs a statement. */
const entryRate = { burst: 60, perSecond: 1 };

/** Both together: of the database's reader neither is known. */
const hashPin = (token: string, pin: string) => hashToken(`${token}\n${pin}`);

function createPin(): string {
  return String(randomInt(10 ** limits.guestPinLength)).padStart(limits.guestPinLength, '0');
}

function readService(service: string): { protocol: PageProtocol; port: number | null } {
  const protocol = pageProtocols.find((each) => each === service);
  return protocol ? { protocol, port: null } : { protocol: 'http', port: readEndpointPort(service) ?? null };
}

/** Sharing one service of a controller with people without an account. */
export function createGuestsService(
  { db, events, recordAudit, clock, publicUrl }: Core,
  { repository, tunnelsRepository, tunnels, ports, rateLimiter }: Dependencies,
) {
  const entries = createTokenBuckets(clock, entryRate);

  function readEnd(text: string, now: Date): Date {
    const end = new Date(text);
    const latest = now.getTime() + lifetimes.guestLink * 1000;
    if (end <= now || end.getTime() > latest) throw new FieldError('expiresAt', 'guest_link_end');
    return end;
  }

  /** What is said of a guest's deeds. */
  function eventOf(link: OpenGuestLink, address: string) {
    const { id: userId, organizationId, serialNumber: subject } = link;
    return { userId, organizationId, subject, address } as const;
  }

  /** Counts a wrong PIN: the last of them ends the link. */
  async function countWrong(
    transaction: DatabaseTransaction,
    link: OpenGuestLink,
    address: string,
  ): Promise<number> {
    const left = limits.guestPinAttempts - link.wrongPins - 1;
    const details = { reason: left > 0 ? 'pin_wrong' : 'pin_ended' };
    await recordAudit({ ...eventOf(link, address), action: 'guest_link.refused', details }, transaction);
    if (left > 0) await repository.countWrongPin(transaction, link.id);
    else await repository.end(transaction, link.id, clock.now());
    return left;
  }

  return {
    list: ({ scope, controller }: ControllerCaller): Promise<GuestLink[]> =>
      repository.list(scope, controller.serialNumber, clock.now()),

    listOfOrganization: ({ scope, organization }: OrganizationCaller): Promise<OrganizationGuestLink[]> =>
      repository.listOfOrganization(scope, organization.id, clock.now()),

    async create(caller: ControllerCaller, request: GuestLinkRequest): Promise<CreatedGuestLink> {
      const { userId, principal } = caller;
      const { serialNumber } = caller.controller;
      const target = await tunnels.getTarget(caller.scope, serialNumber);
      const createdAt = clock.now();
      const expiresAt = readEnd(request.expiresAt, createdAt);
      const { name, uses, isReadOnly, service } = request;
      const { protocol, port: endpointPort } = readService(service);
      if (ports.takesForward({ protocol, port: endpointPort }, target.connectionKind)) {
        throw new FieldError('service', 'service_reserved');
      }
      if (endpointPort !== null && !(await tunnelsRepository.findEndpoint(target, endpointPort))) {
        throw new FieldError('service', 'service_unknown');
      }
      const { email: createdBy } = principal;
      await rateLimiter.require([{ key: ['guest-link', userId], limit: linksPerHour, window: 3600 }]);
      const [id, token, pin] = [createId(), createSecretToken(), createPin()];
      await db.transaction().execute(async (transaction) => {
        const held = await repository.holdController(transaction, target, createdAt);
        if (!held) throw new DomainError('controller_not_found', { serialNumber });
        if (!held.isOpen) throw new DomainError('guests_off');
        const limit = limits.guestLinksPerController;
        if (held.count >= limit) throw new DomainError('guest_links_limit_reached', { limit });
        const secrets = { tokenHash: hashToken(token), pinHash: hashPin(token, pin) };
        const link = { id, name, madeBy: userId, protocol, endpointPort, isReadOnly, uses };
        await repository.create(transaction, target, { ...link, ...secrets, createdAt, expiresAt });
        const details = { guest: name, service, times: uses, expiresAt: expiresAt.toISOString() };
        const { organizationId } = target;
        await caller.audit('guest_link.created', { organizationId, details }, transaction);
      });
      return {
        ...{ id, service, name, isReadOnly, uses, used: 0, createdBy, lastUsedAt: null },
        ...{ createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
        // The fragment is not sent to any server, nor told to the next page.
        ...{ url: `${publicUrl}/guest/#${token}`, pin },
      };
    },

    /** What the guest has open ends. */
    async delete(caller: ControllerCaller, id: string): Promise<void> {
      const { scope, controller } = caller;
      await db.transaction().execute(async (transaction) => {
        const link = await repository.find(transaction, scope, controller.serialNumber, id);
        if (!link) throw new DomainError('guest_link_not_found');
        await repository.end(transaction, id, clock.now());
        const { organizationId, name } = link;
        await caller.audit('guest_link.deleted', { organizationId, details: { guest: name } }, transaction);
      });
      events.publish('accessEnded', { userId: id });
    },

    /**
     * Without the right PIN the answer is the same for every link that works, and for every one that does not: whose it is
     * shows in neither. A use counts with the right PIN, and is given back where nothing could be opened.
     */
    async enter(token: string, pin: string, address: string): Promise<Entered> {
      const refused = entries.take(toNetwork(address));
      if (refused)
        throw new DomainError('too_many_attempts', 'guest entries', { seconds: refused.waitSeconds });
      const at = clock.now();
      const [sessionId, secret] = [createId(), createSecretToken()];
      const outcome = await db.transaction().execute(async (transaction) => {
        const link = await repository.hold(transaction, hashToken(token), at);
        if (!link) throw new DomainError('guest_link_invalid', 'unknown');
        if (!timingSafeEqual(hashPin(token, pin.replace(/\s/g, '')), link.pinHash)) {
          return { link, left: await countWrong(transaction, link, address) };
        }
        const longest = new Date(at.getTime() + lifetimes.tunnel * 1000);
        const expiresAt = link.expiresAt < longest ? link.expiresAt : longest;
        const login = { guestId: link.id, sessionId, hash: hashToken(secret), address, at, expiresAt };
        await repository.use(transaction, login);
        await recordAudit({ ...eventOf(link, address), action: 'guest_link.used' }, transaction);
        return { link, expiresAt };
      });
      const { link } = outcome;
      if (outcome.expiresAt === undefined) {
        if (outcome.left > 0) throw new DomainError('guest_pin_wrong', { left: outcome.left });
        events.publish('accessEnded', { userId: link.id });
        throw new DomainError('guest_link_invalid', 'pin_ended');
      }
      const { expiresAt } = outcome;
      const { protocol, endpointPort: port, id: guestId, serialNumber, isReadOnly } = link;
      const redirectUrl = await tunnels
        .prepare(link, { protocol, port }, guestId)
        .catch(async (error: unknown) => {
          await repository.takeBack(guestId, sessionId);
          throw error;
        });
      const ends = { expiresAt: expiresAt.toISOString(), linkExpiresAt: link.expiresAt.toISOString() };
      const cookie = { guestId, secret, expiresAt };
      if (protocol === 'ssh') {
        const { description, organizationName: organization } = link;
        const place = { serialNumber, description, organization };
        return { answer: { kind: 'terminal', guestId, ...place, isReadOnly, ...ends }, cookie };
      }
      const holder = { userId: guestId, sessionId, sessionExpiresAt: expiresAt };
      const place = { protocol, port, redirectUrl, path: '/' };
      const { tunnelRedirectUrl: url } = await tunnels.openPrepared(holder, link, place, address);
      return { answer: { kind: 'web', url, ...ends }, cookie };
    },

    /** For one login at the terminal of a guest who has come in; a wrong password takes another. */
    async openTunnel(login: GuestLogin, address: string): Promise<{ tunnelKey: string }> {
      const refused = entries.take(login.guestId);
      if (refused)
        throw new DomainError('too_many_attempts', 'guest terminals', { seconds: refused.waitSeconds });
      const place = { protocol: 'ssh', port: null } as const;
      const redirectUrl = await tunnels.prepare(login, place, login.guestId);
      const { guestId: userId, sessionId, expiresAt: sessionExpiresAt } = login;
      const holder = { userId, sessionId, sessionExpiresAt };
      const opened = await tunnels.openPrepared(holder, login, { ...place, redirectUrl, path: '/' }, address);
      return { tunnelKey: opened.tunnelKey };
    },

    /** Run by a job every hour. */
    deleteEnded() {
      const now = clock.now();
      return repository.deleteEnded(now, new Date(now.getTime() - lifetimes.auditEvent * 1000));
    },
  };
}
export type GuestsService = ReturnType<typeof createGuestsService>;
