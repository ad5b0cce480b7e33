/**
 * What a tunnel is opened to, and the kinds in which it is then used and recorded: web pages; the console's terminal, the
 * raw SSH stream, and OpenSSH through the jump host. Everything else derives from it, on the server and in the console.
 * `isShared`: all that goes through one such tunnel is one record; otherwise every connection has its own.
 *
 * spec-coverage: Connect protocol limited to http or ssh
 */
export const tunnelTable = {
  http: { isShared: true, recordKinds: ['http'] },
  ssh: { isShared: false, recordKinds: ['terminal', 'ssh_stream', 'ssh_jump'] },
} as const;

/** What programs open and no page does: any TCP port, by `tcp-<port>` in the place of a protocol. */
const tcpTunnel = { isShared: true, recordKinds: ['tcp'] } as const;

export type TunnelProtocol = keyof typeof tunnelTable;
export type TunnelRecordKind = (
  | (typeof tunnelTable)[TunnelProtocol]
  | typeof tcpTunnel
)['recordKinds'][number];
const every = [...Object.values(tunnelTable), tcpTunnel];
// The keys of a constant are the ones that its type has.
export const tunnelProtocols = Object.keys(tunnelTable) as TunnelProtocol[];
export const tunnelRecordKinds: readonly TunnelRecordKind[] = every.flatMap(({ recordKinds }) => recordKinds);
export const sharedRecordKinds: ReadonlySet<TunnelRecordKind> = new Set(
  every.flatMap(({ isShared, recordKinds }) => (isShared ? recordKinds : [])),
);

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
  /** The organization takes a sign-in by its provider now, which the login was none of. */
  'sign_in_required',
  'controller_removed',
  /** The named endpoint was taken away, or named anew. */
  'service_removed',
  /** Its port is reserved, and whoever used it is a guest, or a token that lacks `tunnels.forward`. */
  'port_reserved',
  'controller_offline',
  'expired',
  'ended_by_admin',
  /** Too much waited in the server for a client that did not read. */
  'unread',
  /** Too many short pieces for too long. */
  'flood',
  'server_stopped',
  /** The server ended without a word; told at its next start. */
  'server_failed',
] as const;
export type TunnelEndReason = (typeof tunnelEndReasons)[number];

/** Which tunnels a list shows: those open now (the default), or those that have ended. */
export const tunnelStates = ['live', 'ended'] as const;
export type TunnelState = (typeof tunnelStates)[number];
