/**
 * The body of a batch, in this order: a byte of flags and the number of entries; then of all entries the kinds, of all the
 * gaps between their offsets, of all the differences between their ages in tenths of a second, of all whom they are about,
 * of all what they tell. Like beside like is what compresses. A name that is told for the first time follows the number
 * it gets, which is the next one.
 */
export const kinds = ['value', 'meta', 'gone', 'title', 'metrics'] as const;
export type Kind = (typeof kinds)[number];

/** Flag: all names are forgotten, and their numbers begin anew. */
export const forgetsNames = 1;

/** Unit of ages on the wire, in milliseconds. They are rounded down: nothing is told to be earlier than it was. */
export const ageUnit = 100;

export const batchLimits = {
  entries: 500,
  /** Of a body before it is compressed. */
  bytes: 32 * 1024,
  /** An encoder ends a batch beyond this, so that the longest entry still fits. */
  fullAtBytes: 24 * 1024,
  /** By which a body may shrink. One that would shrink more goes as it is. */
  ratio: 100,
} as const;
