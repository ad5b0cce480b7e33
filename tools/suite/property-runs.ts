/**
 * Vitest's set-up of property tests. In `npm test` each tries few cases, and the same ones in each run: what it says is about the
 * change that is tried. The part `properties` of the release suite tries many, and others each time. A test that names its
 * own number of runs is one whose runs cost next to nothing.
 */

import fc from 'fast-check';

/** Set by `property-tests.ts`. */
const isAll = process.env.PROPERTY_RUNS === 'all';

fc.configureGlobal({
  ...(isAll ? { numRuns: 200 } : { numRuns: 25, seed: 1 }),
  // Else the reports name the case and not what went wrong with it.
  includeErrorInReport: true,
});
