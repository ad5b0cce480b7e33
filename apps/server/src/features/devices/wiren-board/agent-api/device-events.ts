import { createHash } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import type { Clock } from '../../../../platform/clock.ts';
import { createId } from '../../../../platform/ids.ts';
import type { Enrolment, EnrolmentState } from '../../enrolments.repository.ts';
import type { DeviceEvent, DeviceEventsRepository } from './device-events.repository.ts';

/** Codes that agents know (1.2.2 to 1.8.3). Never `delete_provider`: the controller would be lost to this server. */
const eventCodes = {
  activationLink: 'update_activation_link',
  tunnelConfig: 'update_tunnel_config',
  diagnostics: 'fetch_diagnostics',
} as const;

/** As an agent reads it: a string that is safe in a path, and a payload that is never empty. */
export interface AgentEvent {
  id: string;
  code: string;
  payload: Record<string, string>;
}

interface Dependencies {
  repository: DeviceEventsRepository;
  clock: Clock;
  isLinked(enrolmentId: string): Promise<boolean>;
  /** Since when this node takes tunnels; undefined before. */
  listensSince(): Date | undefined;
  createActivationLink(enrolment: Enrolment): string;
  createTunnelConfig(enrolment: Enrolment): string;
}

/** For frpc to log in by itself, before its configuration is told again; twice as long each time. */
const LOGIN_MS = 60_000;
const MAX_DOUBLINGS = 6;

const versionOf = (text: string) => createHash('sha256').update(text).digest();

/**
 * What a controller is to be told next. What that is follows from its state whenever it asks, and not from what has happened: whatever
 * was lost on the way, here or there, is told again. A row remembers what it has been told last, of each sort.
 */
export function createDeviceEvents(dependencies: Dependencies) {
  const { repository, clock, isLinked, listensSince, createActivationLink, createTunnelConfig } =
    dependencies;

  /**
   * Whether the tunnel should be there by now, and is not: the agent keeps no state of it, and may have lost the configuration. Telling
   * it again restarts frpc. So its time begins when it could log in last: a configuration was confirmed, its link was lost, or a node
   * that could hold the link was started.
   */
  async function isTunnelMissing({
    enrolment_id: enrolmentId,
    confirmed_at: confirmedAt,
    repeats,
  }: DeviceEvent): Promise<boolean> {
    const startedAt = listensSince();
    if (confirmedAt === null || !startedAt) return false;
    const patience = LOGIN_MS * 2 ** Math.min(repeats, MAX_DOUBLINGS);
    const now = clock.now().getTime();
    const isOver = (...times: number[]) => now - Math.max(...times) >= patience;
    if (!isOver(confirmedAt.getTime(), startedAt.getTime()) || (await isLinked(enrolmentId))) return false;
    const { isOnline, lastSeenAt, newestNodeMs } = await repository.getLastLink(enrolmentId);
    // Of this run: its loss is being written.
    if (isOnline && lastSeenAt && lastSeenAt >= startedAt) return false;
    return isOver(lastSeenAt?.getTime() ?? 0, newestNodeMs === null ? 0 : now - newestNodeMs);
  }

  function wantOf({ enrolment, shown }: EnrolmentState): { code: string; payload: Record<string, string> } {
    if (shown === null) {
      return {
        code: eventCodes.activationLink,
        payload: { activationLink: createActivationLink(enrolment) },
      };
    }
    return { code: eventCodes.tunnelConfig, payload: { config: createTunnelConfig(enrolment) } };
  }

  return {
    /** The next event; undefined where there is nothing to tell. */
    async next(claim: EnrolmentState): Promise<AgentEvent | undefined> {
      const { id: enrolmentId } = claim.enrolment;
      const rows = await repository.listEvents(enrolmentId);
      const { code, payload } = wantOf(claim);
      const version = versionOf(Object.values(payload).join('\n'));
      let row = rows.find((each) => each.code === code);
      // A release changes both the link and the token in the configuration: no older row is taken for the one that is due.
      if (!row?.version.equals(version) || (await isTunnelMissing(row))) {
        row = await repository.putEvent({ enrolmentId, code, id: createId(), version, now: clock.now() });
      } else if (row.repeats > 0 && (await isLinked(enrolmentId))) {
        // A repeat that has not gone out yet is not needed any more, and would cut the tunnel that is back.
        row = await repository.clearRepeats(enrolmentId, code, clock.now());
      }
      if (row && row.confirmed_at === null) return { id: row.id, code, payload };
      const asked = rows.find((each) => each.code === eventCodes.diagnostics && each.confirmed_at === null);
      if (asked && claim.shown !== null)
        return { id: asked.id, code: asked.code, payload: { request: asked.id } };
      return undefined;
    },

    /** Confirmed before it is done: an archive that does not come is not asked for again. */
    async askForDiagnostics(enrolmentId: string): Promise<void> {
      const id = createId();
      const asked = {
        enrolmentId,
        code: eventCodes.diagnostics,
        id,
        version: versionOf(id),
        now: clock.now(),
      };
      await repository.putEvent(asked);
    },

    cancelDiagnostics: (enrolmentId: string) => repository.deleteEvent(enrolmentId, eventCodes.diagnostics),

    /** That the start-up of an agent was answered with this link. */
    async noteActivationLink({ id: enrolmentId }: Enrolment, link: string): Promise<void> {
      const code = eventCodes.activationLink;
      await repository.putKnown({
        enrolmentId,
        code,
        id: createId(),
        version: versionOf(link),
        now: clock.now(),
      });
    },

    /** That the device has taken an event in; one of before, or of nobody, is nothing to it. */
    async confirm({ id }: Enrolment, eventId: string): Promise<void> {
      if (isUuid(eventId)) await repository.confirm(id, eventId, clock.now());
    },

    forget: ({ id }: Enrolment) => repository.deleteEvents(id),
  };
}
export type DeviceEvents = ReturnType<typeof createDeviceEvents>;
