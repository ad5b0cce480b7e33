import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';

/** What a ticket is for. */
export interface TicketSubject {
  /** The node that may use it. */
  node: string;
  enrolmentId: string;
  service: string;
}

export interface Tickets {
  issue(subject: TicketSubject): string;
  /** Once, by the node it was issued to, for as long as it lasts. */
  take(ticket: string, node: string): TicketSubject | undefined;
}

const lifetimeMs = 10_000;

/** Tickets by which another node opens one stream to a device that is held here. */
export function createTickets(clock: Clock): Tickets {
  const issued = new Map<string, TicketSubject & { until: number }>();

  function forgetOld(now: number): void {
    // In the order in which they were issued.
    for (const [ticket, { until }] of issued) {
      if (until > now) break;
      issued.delete(ticket);
    }
  }

  return {
    issue(subject) {
      const now = clock.now().getTime();
      forgetOld(now);
      const ticket = randomBytes(16).toString('base64url');
      issued.set(ticket, { ...subject, until: now + lifetimeMs });
      return ticket;
    },
    take(ticket, node) {
      const found = issued.get(ticket);
      issued.delete(ticket);
      if (!found || found.node !== node || found.until <= clock.now().getTime()) return undefined;
      return found;
    },
  };
}
