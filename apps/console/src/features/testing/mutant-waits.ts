/** Vitest's set-up of the console's tests for `npm run bench mutations`, after that of each file. */

import { configure } from '@testing-library/react';
import { beforeAll, inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Stryker's: first all tests run once, then those of each mutant. */
    mode: 'dry-run' | 'mutant';
  }
}

// What a mutant keeps from appearing is waited for to the end; its page is loaded by then, so that the end may be near.
beforeAll(() => configure({ asyncUtilTimeout: inject('mode') === 'mutant' ? 8000 : 60_000 }));
