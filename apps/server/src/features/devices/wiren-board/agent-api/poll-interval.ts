/** Handshakes that polls may cost the server: each is one, with a signature. */
const POLLS_PER_SECOND = 50;
/** What agents do by themselves, and what they shall do while somebody waits for them. */
const EAGER_SECONDS = 10;

export interface PollIntervals {
  /** Seconds until the device is to ask again. `isSettled`: it is linked, and nobody waits for what it does. */
  next(enrolmentId: string, isSettled: boolean): number;
}

/** Spaces polls with the number of devices that ask: those of the last hour or two. */
export function createPollIntervals(seconds: number, now: () => number): PollIntervals {
  const periodMs = 3_600_000;
  let since = now();
  let before = new Set<string>();
  let current = new Set<string>();
  return {
    next(enrolmentId, isSettled) {
      if (now() - since >= periodMs) {
        since = now();
        before = current;
        current = new Set();
      }
      current.add(enrolmentId);
      const devices = Math.max(before.size, current.size);
      return isSettled ? Math.max(seconds, Math.ceil(devices / POLLS_PER_SECOND)) : EAGER_SECONDS;
    },
  };
}
