/** So many pieces at once, after a pause, and so many a second for as long as one likes. */
interface PieceRate {
  burst: number;
  perSecond: number;
}

/** How many short pieces this server handles of those whom it lets through: each costs it the same, whatever it carries. */
export interface WorkLimits {
  /** What each stream may always have, so that nobody who types waits for somebody who floods. */
  perStream: PieceRate;
  perUser: PieceRate;
  perOrganization: PieceRate;
  inAll: PieceRate;
  /** For how long a stream may be held back without a pause before it is cut, in milliseconds. */
  floodMs: number;
}

/** A piece costs some 5 µs: a user has 8 % of a core for them, all together a third. A fast typist sends 20 a second. */
export const workLimits: WorkLimits = {
  perStream: { burst: 1_000, perSecond: 200 },
  perUser: { burst: 32_768, perSecond: 16_384 },
  perOrganization: { burst: 65_536, perSecond: 32_768 },
  inAll: { burst: 131_072, perSecond: 65_536 },
  floodMs: 30_000,
};

interface Owner {
  userId: string;
  organizationId: string;
}

export interface WorkStream {
  /**
   * Takes note of pieces that have been handled. Answers for how many milliseconds nothing more of the stream is to be
   * read, and cuts it when it has been held back for too long.
   */
  charge(pieces: number): number;
  end(): void;
}

export interface WorkBudget {
  add(owner: Owner, cut: () => void): WorkStream;
}

/** Pieces are counted once they are there: what is owed is waited for. */
function createBucket({ burst, perSecond }: PieceRate, now: () => number) {
  let tokens = burst;
  let at = now();
  return {
    users: 0,
    /** Milliseconds until nothing is owed. */
    take(pieces: number): number {
      const time = now();
      tokens = Math.min(burst, tokens + ((time - at) / 1000) * perSecond) - pieces;
      at = time;
      return tokens < 0 ? (-tokens / perSecond) * 1000 : 0;
    },
  };
}
type Bucket = ReturnType<typeof createBucket>;

/** A bucket for each name, for as long as one of its streams is open. */
function createBuckets(rate: PieceRate, now: () => number) {
  const buckets = new Map<string, Bucket>();
  return {
    enter(name: string): Bucket {
      const bucket = buckets.get(name) ?? createBucket(rate, now);
      buckets.set(name, bucket);
      bucket.users += 1;
      return bucket;
    },
    leave(name: string, bucket: Bucket): void {
      bucket.users -= 1;
      // What it owes is forgotten with it only when nothing is owed.
      if (bucket.users === 0 && bucket.take(0) === 0) buckets.delete(name);
    },
  };
}

/** Bounds the work that short pieces of people are, by stream, user, organization and in all. */
export function createWorkBudget(
  limits: WorkLimits = workLimits,
  now: () => number = () => performance.now(),
): WorkBudget {
  const users = createBuckets(limits.perUser, now);
  const organizations = createBuckets(limits.perOrganization, now);
  const all = createBucket(limits.inAll, now);

  return {
    add({ userId, organizationId }, cut) {
      /** Made by its first pieces: most requests have none. */
      let buckets: { own: Bucket; user: Bucket; organization: Bucket } | undefined;
      let heldSince: number | undefined;
      let hasEnded = false;
      return {
        charge(pieces) {
          // Nobody would leave what is entered now.
          if (hasEnded && !buckets) return 0;
          buckets ??= {
            own: createBucket(limits.perStream, now),
            user: users.enter(userId),
            organization: organizations.enter(organizationId),
          };
          const { own, user, organization } = buckets;
          const waits = [user, organization, all].map((bucket) => bucket.take(pieces));
          const isModest = own.take(pieces) === 0;
          const waitMs = isModest ? 0 : Math.max(...waits);
          if (waitMs === 0) heldSince = undefined;
          else {
            heldSince ??= now();
            if (now() - heldSince > limits.floodMs) cut();
          }
          return waitMs;
        },
        end() {
          if (hasEnded) return;
          hasEnded = true;
          if (!buckets) return;
          users.leave(userId, buckets.user);
          organizations.leave(organizationId, buckets.organization);
        },
      };
    },
  };
}
