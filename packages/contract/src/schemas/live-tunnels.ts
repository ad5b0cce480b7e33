import { z } from 'zod';
import { optionalQuery, pageOf, pageQuery } from './query.ts';
import { id, time } from './text.ts';

/** Ways to a controller: its web pages, the console's terminal, the raw SSH stream, and OpenSSH through the jump host. */
export const tunnelKinds = ['http', 'terminal', 'ssh_stream', 'ssh_jump'] as const;
export type TunnelKind = (typeof tunnelKinds)[number];

/** Why a tunnel ended. */
export const tunnelEndReasons = [
  /** By whoever used it, or by the controller's own service. */
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
  /** The named service was taken away, or named anew. */
  'service_removed',
  'controller_offline',
  'expired',
  'ended_by_admin',
  'server_stopped',
  /** The server ended without a word; told at its next start. */
  'server_failed',
] as const;
export type TunnelEndReason = (typeof tunnelEndReasons)[number];

const person = z.object({ id, email: z.string() });

/** A way to a controller that is open, or was. */
export const tunnelView = z.object({
  id,
  kind: z.enum(tunnelKinds),
  /** Of a named service; null for the web interface and for SSH. */
  port: z.number().int().nullable(),
  serialNumber: z.string(),
  /** Whose it is; null when the account is gone. */
  user: person.nullable(),
  /** The client's network address; null for whoever may not read it: only admins see another's. */
  address: z.string().nullable(),
  startedAt: time,
  endedAt: time.nullable(),
  endReason: z.enum(tunnelEndReasons).nullable(),
  /** The admin who ended it. */
  endedBy: person.nullable(),
  /** To the controller, and from it. */
  bytesIn: z.number().int().nonnegative(),
  bytesOut: z.number().int().nonnegative(),
});
export type TunnelView = z.infer<typeof tunnelView>;
export const tunnelPage = pageOf(tunnelView);

export const listTunnelsQuery = z.strictObject({
  ...pageQuery,
  /** What is open now (the default), or what has ended. */
  state: optionalQuery(z.enum(['live', 'ended'])),
});
