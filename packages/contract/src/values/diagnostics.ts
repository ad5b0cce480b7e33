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
