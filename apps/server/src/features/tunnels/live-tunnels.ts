import {
  sharedRecordKinds,
  type TunnelEndReason,
  type TunnelRecordKind,
  tunnelRecordKinds,
} from '@pult/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ConnectionHandle, HandleKind } from '../../platform/connection-handle.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import { createId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { Counts } from '../../platform/prometheus/metric.ts';
import { createRevalidator } from '../../platform/revalidator.ts';
import { Slots } from '../../platform/slots.ts';
import { unreadBytes } from '../../platform/unread-bytes.ts';
import type { LiveTunnelsRepository, TunnelGrant } from './live-tunnels.repository.ts';
import type { TunnelRecord } from './records/tunnel-record.ts';
import type { TunnelRecords } from './records/tunnel-records.ts';
import { createTunnelLimits, type TunnelLimits } from './tunnel-limits.ts';
import { createUnreadBudget, type UnreadLimits } from './unread-budget.ts';
import { createWorkBudget, type WorkLimits } from './work-budget.ts';

export type CutReason = 'access_ended' | 'server_stopping' | 'ended_by_admin' | 'unread' | 'flood';

/** By what and from where something is opened. */
export interface TunnelUse {
  grant: TunnelGrant;
  /** Undefined for a login at the jump host, which leads to no controller yet. */
  kind: TunnelRecordKind | undefined;
  /** The client's. */
  address: string;
}

interface OpenConnection {
  kind: HandleKind;
  cut: (reason: CutReason) => void;
}

/** A tunnel that is used: many connections of a shared one, such as requests over HTTP, or one of anything else. */
interface LiveTunnel {
  name: string;
  grant: TunnelGrant;
  connections: Slots<OpenConnection>;
  /** Since when nothing has been open. */
  idleSince: number | undefined;
  record: TunnelRecord | undefined;
}

/** Everything that is open through tunnels now, so that it is seen, and cut when access ends. */
export interface LiveTunnels {
  /** Registers something open. Throws `tunnels_limit_reached`. */
  track(use: TunnelUse, kind: HandleKind, cut: OpenConnection['cut']): ConnectionHandle;
  /** How many connections are open. */
  readonly size: number;
  /** Tunnels of each kind that are used now, and since the start those that were begun, and that have ended by reason. */
  readonly counts: { open(): Counts; readonly begun: Counts; readonly ended: Counts };
  /** What is open of an organization by the id of its record. */
  find(organizationId: string, recordId: string): TunnelRecord | undefined;
  /** Ends what a record tells of, and its tunnel with it. False when it has ended already. */
  end(recordId: string, userId: string): Promise<boolean>;
  /** Looks which tunnels still hold and cuts what does not. */
  check(): Promise<void>;
  /** Checks at every end of access, and again and again for what no event tells (an expiry, another server). */
  start(): void;
  /** Cuts everything at once: others believe that this node is gone. */
  cutAll(): void;
  /** Cuts what is left and writes it down. */
  stop(): Promise<void>;
}

/** A shared tunnel without any connection for so long is out of use, in milliseconds. Its cookie goes on. */
const idleAfter = 5 * 60_000;
/** Logouts that are remembered until what rests on them has been looked at. */
const maxLogouts = 10_000;
/** Between two looks at what waits unread, in milliseconds: a fast device sends some 100 MB meanwhile. */
const unreadIntervalMs = 250;

const isShared = (kind: TunnelUse['kind']): boolean => kind !== undefined && sharedRecordKinds.has(kind);

export function createLiveTunnels(dependencies: {
  repository: LiveTunnelsRepository;
  records: TunnelRecords;
  /** Whether the device is reached now. */
  isLinked: (enrolmentId: string) => boolean;
  events: Events;
  log: Logger;
  clock: Clock;
  /** Together with what the tunnel host remembers it keeps the promise of 2 s. */
  checkIntervalMs?: number | undefined;
  limits?: TunnelLimits;
  unreadLimits?: UnreadLimits | undefined;
  workLimits?: WorkLimits | undefined;
}): LiveTunnels {
  const { repository, records, isLinked, events, log, clock, checkIntervalMs = 1_000 } = dependencies;
  const open = new Map<string, LiveTunnel>();
  const limits = createTunnelLimits(dependencies.limits);
  const unread = createUnreadBudget(dependencies.unreadLimits);
  const work = createWorkBudget(dependencies.workLimits);
  const loggedOut = new Set<string>();
  const [begun, ended] = [new Counts(tunnelRecordKinds), new Counts()];
  const endings: (() => void)[] = [];

  function cutAll(tunnel: LiveTunnel, reason: CutReason, kind?: HandleKind): void {
    // What is cut takes itself out.
    for (const connection of tunnel.connections.list())
      if (kind === undefined || connection.kind === kind) connection.cut(reason);
  }

  function forget(tunnel: LiveTunnel, reason: TunnelEndReason, endedBy?: string): void {
    // It may have ended already, and another one have begun under its name.
    if (open.get(tunnel.name) !== tunnel) return;
    open.delete(tunnel.name);
    if (!tunnel.record) return;
    ended.add(reason);
    records.end(tunnel.record, reason, endedBy);
  }

  function cutEverything(reason: TunnelEndReason): void {
    for (const tunnel of [...open.values()]) {
      forget(tunnel, reason);
      cutAll(tunnel, 'server_stopping');
    }
  }

  function enter(use: TunnelUse): LiveTunnel {
    const { grant, kind, address } = use;
    // What goes through one shared tunnel is one to whoever looks; everything else is its own.
    const name = isShared(kind) && grant.tunnelId !== null ? grant.tunnelId : createId();
    const known = open.get(name);
    if (known) return known;
    const { userId, target } = grant;
    const port = grant.port ?? grant.forwardedPort ?? null;
    if (kind && target) begun.add(kind);
    const record = kind && target ? records.begin({ userId, target, kind, port, address }) : undefined;
    const tunnel: LiveTunnel = { name, grant, connections: new Slots(), idleSince: undefined, record };
    open.set(name, tunnel);
    return tunnel;
  }

  async function checkOnce(): Promise<void> {
    const now = clock.now();
    for (const tunnel of open.values()) {
      const { idleSince } = tunnel;
      if (idleSince !== undefined && now.getTime() - idleSince >= idleAfter) forget(tunnel, 'idle');
    }
    if (open.size === 0) return loggedOut.clear();
    const told = [...loggedOut];
    const grants = new Map([...open.values()].map(({ name, grant }) => [name, grant]));
    for (const { name, reason } of await repository.listEnded(grants, now)) {
      const tunnel = open.get(name);
      if (!tunnel) continue;
      const { sessionId } = tunnel.grant;
      const hasLoggedOut = reason === 'session_ended' && sessionId !== null && loggedOut.has(sessionId);
      forget(tunnel, hasLoggedOut ? 'logged_out' : reason);
      cutAll(tunnel, 'access_ended');
    }
    for (const sessionId of told) loggedOut.delete(sessionId);
  }

  const revalidator = createRevalidator({
    revalidate: checkOnce,
    events,
    intervalMs: checkIntervalMs,
    onFailure: (error) => log.error({ err: error }, 'live tunnels not checked'),
  });

  return {
    track(use, kind, cut) {
      const { userId, target } = use.grant;
      const release = limits.acquire({ userId, controllerId: target?.controllerId });
      if (typeof release === 'string') throw new DomainError('tunnels_limit_reached', release);
      const tunnel = enter(use);
      const connection = { kind, cut };
      const slot = tunnel.connections.add(connection);
      tunnel.idleSince = undefined;
      let forgetUnread = () => {};
      const pieces =
        target &&
        work.add({ userId, organizationId: target.organizationId }, () => {
          log.warn(
            { userId, controllerId: target.controllerId, kind: use.kind },
            'cut: too many short pieces',
          );
          if (!isShared(use.kind)) forget(tunnel, 'flood');
          cut('flood');
        });
      return {
        watch(far) {
          forgetUnread();
          if (!target) return;
          const { controllerId, organizationId } = target;
          forgetUnread = unread.add({
            userId,
            controllerId,
            organizationId,
            measure: () => unreadBytes(far),
            cut() {
              log.warn(
                { userId, controllerId, kind: use.kind, bytes: unreadBytes(far) },
                'cut: nobody reads',
              );
              if (!isShared(use.kind)) forget(tunnel, 'unread');
              cut('unread');
            },
          });
        },
        count(bytesIn, bytesOut) {
          if (tunnel.record) records.count(tunnel.record, bytesIn, bytesOut);
        },
        charge: (count) => pieces?.charge(count) ?? 0,
        end() {
          if (!tunnel.connections.delete(slot, connection)) return;
          forgetUnread();
          pieces?.end();
          release();
          if (tunnel.connections.size > 0) return;
          if (isShared(use.kind)) tunnel.idleSince = clock.now().getTime();
          else forget(tunnel, !target || isLinked(target.enrolmentId) ? 'closed' : 'controller_offline');
        },
      };
    },
    get size() {
      let size = 0;
      for (const { connections } of open.values()) size += connections.size;
      return size;
    },
    counts: {
      open() {
        const counts = new Counts(tunnelRecordKinds);
        for (const { record } of open.values()) if (record) counts.add(record.kind);
        return counts;
      },
      begun,
      ended,
    },
    find(organizationId, recordId) {
      for (const { record } of open.values()) {
        if (record?.id === recordId && record.target.organizationId === organizationId) return record;
      }
      return undefined;
    },
    async end(recordId, userId) {
      const tunnel = [...open.values()].find(({ record }) => record?.id === recordId);
      if (!tunnel) return false;
      const { tunnelId } = tunnel.grant;
      if (tunnelId !== null) await repository.deleteTunnel(tunnelId);
      // Somebody else, or access itself, was faster.
      if (open.get(tunnel.name) !== tunnel) return false;
      forget(tunnel, 'ended_by_admin', userId);
      cutAll(tunnel, 'ended_by_admin');
      // What was remembered of the cookie is asked anew.
      const { sessionId } = tunnel.grant;
      if (sessionId !== null) events.publish('accessEnded', { sessionId });
      return true;
    },
    check: () => revalidator.check(),
    cutAll: () => cutEverything('server_failed'),
    start() {
      endings.push(
        events.subscribe('accessEnded', ({ sessionId, cause }) => {
          if (cause === 'logout' && sessionId !== undefined && loggedOut.size < maxLogouts) {
            loggedOut.add(sessionId);
          }
        }),
        events.subscribe('serverStopping', () => {
          for (const tunnel of [...open.values()]) {
            const isSession =
              tunnel.connections.size > 0 &&
              tunnel.connections.list().every(({ kind }) => kind === 'session');
            if (isSession) forget(tunnel, 'server_stopped');
            cutAll(tunnel, 'server_stopping', 'session');
          }
        }),
      );
      // After the subscription that remembers logouts, which its look needs.
      revalidator.start();
      const timer = setInterval(unread.look, unreadIntervalMs);
      timer.unref();
      endings.push(() => clearInterval(timer));
      records.start();
    },
    async stop() {
      revalidator.stop();
      for (const end of endings.splice(0)) end();
      cutEverything('server_stopped');
      await records.stop();
    },
  };
}
