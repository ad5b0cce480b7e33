import { z } from 'zod';
import { diagnosticFailures, diagnosticStatuses } from '../values/diagnostics.ts';
import { id, time } from './text.ts';

/** The last one of a controller (spec-coverage: Diagnostic: status, id, created). */
export const diagnosticState = z.object({
  status: z.enum(['not_requested', ...diagnosticStatuses]),
  id: id.nullable(),
  created: time.nullable(),
});
export type DiagnosticState = z.infer<typeof diagnosticState>;

export const diagnostic = z.object({
  id,
  status: z.enum(diagnosticStatuses),
  reason: z.enum(diagnosticFailures).nullable(),
  /** The agent's own words about a failure: one printable line. */
  detail: z.string().nullable(),
  /** Bytes that have arrived so far. */
  progress: z.number().int().nonnegative(),
  /** Bytes of the archive; null without one. */
  size: z.number().int().nonnegative().nullable(),
  /** Of the archive, in hexadecimal. */
  sha256: z.string().nullable(),
  created: time,
  finished: time.nullable(),
  /** Null once the account is gone. */
  requestedBy: z.object({ id, email: z.string() }).nullable(),
});
export type Diagnostic = z.infer<typeof diagnostic>;
