import { Slots } from '../../platform/slots.ts';

/** How much may wait in this server for people who do not read what a device sends, in bytes. */
export interface UnreadLimits {
  /** Of one user, wherever. A stream holds 4 MB at most: as much as the device may send ahead. */
  perUser: number;
  perController: number;
  perOrganization: number;
  inAll: number;
}

export const unreadLimits: UnreadLimits = {
  perUser: 32 * 2 ** 20,
  perController: 64 * 2 ** 20,
  perOrganization: 128 * 2 ** 20,
  inAll: 256 * 2 ** 20,
};

/** Something open, and whose. */
export interface Unread {
  userId: string;
  controllerId: string;
  organizationId: string;
  /** What waits in it now, in bytes. */
  measure(): number;
  cut(): void;
}

export interface UnreadBudget {
  /** The answer forgets it. */
  add(unread: Unread): () => void;
  /** Cuts what is beyond a limit: of whoever holds most there, the stream that holds most. */
  look(): void;
}

interface Measured {
  unread: Unread;
  bytes: number;
}

const scopes = [
  { limit: 'perUser', of: ({ userId }: Unread) => userId },
  { limit: 'perController', of: ({ controllerId }: Unread) => controllerId },
  { limit: 'perOrganization', of: ({ organizationId }: Unread) => organizationId },
  { limit: 'inAll', of: () => '' },
] as const;

function groupBy(all: Iterable<Measured>, nameOf: (unread: Unread) => string): Map<string, Measured[]> {
  const groups = new Map<string, Measured[]>();
  for (const each of all) {
    const name = nameOf(each.unread);
    const group = groups.get(name);
    if (group) group.push(each);
    else groups.set(name, [each]);
  }
  return groups;
}

const sum = (all: readonly Measured[]) => all.reduce((total, { bytes }) => total + bytes, 0);

/** Of the user who holds most of them, the stream that holds most. */
function findLargest(all: readonly Measured[]): Measured | undefined {
  const [ofUser = []] = [...groupBy(all, ({ userId }) => userId).values()].sort((a, b) => sum(b) - sum(a));
  return ofUser.toSorted((a, b) => b.bytes - a.bytes)[0];
}

/** Bounds what waits unread by user, by controller, by organization and in all. Whoever reads is never cut by it. */
export function createUnreadBudget(limits: UnreadLimits = unreadLimits): UnreadBudget {
  const open = new Slots<Unread>();

  return {
    add(unread) {
      const slot = open.add(unread);
      return () => void open.delete(slot, unread);
    },
    look() {
      const holding = new Set<Measured>();
      for (const unread of open.list()) {
        const bytes = unread.measure();
        if (bytes > 0) holding.add({ unread, bytes });
      }
      for (const { limit, of } of scopes) {
        for (const group of groupBy(holding, of).values()) {
          while (sum(group) > limits[limit]) {
            const largest = findLargest(group);
            if (!largest) break;
            group.splice(group.indexOf(largest), 1);
            holding.delete(largest);
            largest.unread.cut();
          }
        }
      }
    },
  };
}
