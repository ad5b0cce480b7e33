/** spec-coverage: Connect protocol limited to http or ssh */
export const tunnelProtocols = ['http', 'ssh'] as const;
export type TunnelProtocol = (typeof tunnelProtocols)[number];

/** Ways to a controller: its web pages, the console's terminal, the raw SSH stream, and OpenSSH through the jump host. */
export const tunnelKinds = ['http', 'terminal', 'ssh_stream', 'ssh_jump'] as const;
export type TunnelKind = (typeof tunnelKinds)[number];

/** Why a tunnel ended. */
export const tunnelEndReasons = [
  /** By whoever used it, or by the controller's own endpoint. */
  'closed',
  /** Nothing went through for a while. */
  'idle',
  'logged_out',
  /** The login session was ended on the security page, by a new second factor, or by its age. */
  'session_ended',
  /** The password, and for SSH keys the second factor, too. */
  'credentials_changed',
  'key_deleted',
  'role_changed',
  'removed',
  'second_factor_required',
  'controller_removed',
  /** The named endpoint was taken away, or named anew. */
  'service_removed',
  'controller_offline',
  'expired',
  'ended_by_admin',
  'server_stopped',
  /** The server ended without a word; told at its next start. */
  'server_failed',
] as const;
export type TunnelEndReason = (typeof tunnelEndReasons)[number];

/** Which tunnels a list shows: those open now (the default), or those that have ended. */
export const tunnelStates = ['live', 'ended'] as const;
export type TunnelState = (typeof tunnelStates)[number];
