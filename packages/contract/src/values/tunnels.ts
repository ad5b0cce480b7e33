/**
 * What a tunnel is opened to, and the kinds in which it is then used and recorded: web pages; the console's terminal, the
 * raw SSH stream, and OpenSSH through the jump host. Everything else derives from it, on the server and in the console.
 * `isShared`: all that goes through one such tunnel is one record; otherwise every connection has its own.
 * `isForwarding`: programs open it to any port of the controller, by `<name>-<port>`, with the permission `tunnels.forward` and a key
 * that stays good; otherwise a page of the console opens it, by a ticket.
 *
 * spec-coverage: Connect protocol limited to http or ssh
 */
export const tunnelTable = {
  http: { isForwarding: false, isShared: true, recordKinds: ['http'] },
  ssh: { isForwarding: false, isShared: false, recordKinds: ['terminal', 'ssh_stream', 'ssh_jump'] },
  tcp: { isForwarding: true, isShared: true, recordKinds: ['tcp'] },
} as const;

type Table = typeof tunnelTable;
type Forwarding<Value extends boolean> = {
  [Name in keyof Table]: Table[Name]['isForwarding'] extends Value ? Name : never;
}[keyof Table];
export type TunnelProtocol = keyof Table;
/** Of tunnels that programs open. */
export type ForwardingProtocol = Forwarding<true>;
/** Of tunnels that a page of the console opens. */
export type PageProtocol = Forwarding<false>;
export type TunnelRecordKind = Table[TunnelProtocol]['recordKinds'][number];

// The keys of a constant are the ones that its type has.
const tunnelProtocols = Object.keys(tunnelTable) as TunnelProtocol[];
export function isForwarding(protocol: TunnelProtocol): protocol is ForwardingProtocol {
  return tunnelTable[protocol].isForwarding;
}
export const forwardingProtocols: readonly ForwardingProtocol[] = tunnelProtocols.filter(isForwarding);
export const pageProtocols: readonly PageProtocol[] = tunnelProtocols.filter(
  (protocol): protocol is PageProtocol => !isForwarding(protocol),
);
const every = Object.values(tunnelTable);
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
