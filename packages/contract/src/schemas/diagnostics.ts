import { z } from 'zod';
import { id, time } from './text.ts';

/**
 * `requested`: waits for the controller's link. `collecting`: its archive arrives. `ready`: it can be downloaded. The
 * last two are ends.
 */
export const diagnosticStatuses = ['requested', 'collecting', 'ready', 'failed'] as const;
export type DiagnosticStatus = (typeof diagnosticStatuses)[number];

/** Why there is no archive. */
export const diagnosticFailures = [
  /** The controller was offline for as long as a request waits. */
  'expired',
  /** The agent is of a version without diagnostics. */
  'not_supported',
  /** The agent could not collect; `detail` has its words. */
  'device_failed',
  /** The link ended in the middle. */
  'link_lost',
  /** Nothing came for too long. */
  'stalled',
  /** It would not end. */
  'too_slow',
  'too_large',
  /** The archives of the organization have filled its quota. */
  'quota_reached',
  /** It ended without its checksum. */
  'truncated',
  'checksum_mismatch',
  'not_an_archive',
  'disk_full',
  'storage_failed',
  /** The server stopped, or was restarted, in the middle. */
  'server_stopped',
] as const;
export type DiagnosticFailure = (typeof diagnosticFailures)[number];

/** The last one of a controller (spec, section 3). */
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
