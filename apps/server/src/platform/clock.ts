/** The time of the server, in a form that tests can set. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds by which the clocks of two servers may differ. A time further ahead was noted before the clock was set back. */
export const clockSkew = 60_000;
