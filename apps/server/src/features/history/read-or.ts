import type { Core } from '../../platform/core.ts';
import { ChunkFormatError } from './core/bytes.ts';

/** Reads what was stored; what cannot be read is logged, and undefined. Other errors are thrown. */
export const createReadOr =
  (log: Core['log']) =>
  <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ChunkFormatError)) throw error;
      log.error({ err: error }, 'a piece of the history of values cannot be read');
      return undefined;
    }
  };
