import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { NativeConnection } from './native-connection.ts';

interface HeldSession {
  id: string;
  link: NativeConnection;
  /** Of the newest connection of either kind: one that was tried before it has been overtaken. */
  attempt: number;
}

/** What a device asks for: nothing, a session it could go on with, or to go on with one, be it with bulk alone. */
export type SessionRequest = 'none' | 'new' | { id: string; attempt: number; isBulk: boolean };

/** Sessions of devices that may go on with them over their next connection, by their enrolments. */
export interface Sessions {
  /** `<node>.<name>`: another node can tell from it which one to ask. */
  createId(): string;
  add(enrolmentId: string, id: string, link: NativeConnection): void;
  /** The session that is to go on; undefined for one that is gone, foreign, or has been overtaken. */
  find(enrolmentId: string, request: SessionRequest): HeldSession | undefined;
}

const idBytes = 16;

export function parseSessionRequest(header: string | undefined): SessionRequest {
  if (header === undefined) return 'none';
  const [, id, attempt, bulk] =
    /^([A-Za-z0-9_-]{1,36}\.[A-Za-z0-9_-]{22}) ([0-9]{1,9})( bulk)?$/.exec(header) ?? [];
  return id === undefined ? 'new' : { id, attempt: Number(attempt), isBulk: bulk !== undefined };
}

/** How long the name of a node is may show in the time. */
function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** `getNodeId`: which process keeps the sessions. */
export function createSessions(getNodeId: () => string): Sessions {
  const held = new Map<string, HeldSession>();
  return {
    createId: () => `${getNodeId()}.${randomBytes(idBytes).toString('base64url')}`,
    add(enrolmentId, id, link) {
      const session = { id, link, attempt: 0 };
      held.set(enrolmentId, session);
      void link.closed.then(() => {
        if (held.get(enrolmentId) === session) held.delete(enrolmentId);
      });
    },
    find(enrolmentId, request) {
      const session = held.get(enrolmentId);
      if (!session || typeof request === 'string') return undefined;
      if (!isSame(session.id, request.id)) return undefined;
      if (request.attempt <= session.attempt) return undefined;
      session.attempt = request.attempt;
      return session;
    },
  };
}
