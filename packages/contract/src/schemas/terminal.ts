import { z } from 'zod';
import { limits } from '../limits.ts';
import { secret } from './text.ts';

/**
 * The SSH terminal's WebSocket: text messages are the JSON below, binary messages are the terminal's bytes, both ways.
 *
 * Both sides count the bytes of either direction from the start of the shell and tell each other how far they got:
 * that bounds what is on its way, and lets another connection continue at the very byte (ADR 13).
 */
export const terminalPath = '/api/v1/ssh-terminal/';

/** Bytes. */
export const terminalWindows = {
  /** Output that the page has not drawn yet: past it the shell is held back. */
  output: 512 * 1024,
  /** Input that the device has not taken yet: past it the page waits. */
  input: 128 * 1024,
  /** The largest piece of input in one message. */
  inputMessage: 32 * 1024,
} as const;

/** A count of bytes since the start of the shell. */
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const columns = z.number().int().min(1).max(limits.terminalColumnsMax);
const rows = z.number().int().min(1).max(limits.terminalRowsMax);

export const terminalClientMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('start'),
    tunnelKey: secret(200),
    username: secret(64),
    credential: z.discriminatedUnion('method', [
      z.strictObject({ method: z.literal('password'), password: z.string().max(1000) }),
      z.strictObject({
        method: z.literal('private_key'),
        privateKey: secret(limits.privateKeyLength),
        passphrase: z.string().max(1000).optional(),
      }),
    ]),
    columns,
    rows,
    /** Old ones of SSH that are taken, and remembered for the controller once somebody is in. */
    oldAlgorithms: z.array(z.string().max(64)).max(20).optional(),
  }),
  /** Instead of `start`, within a minute after a connection was lost: the shell goes on from byte `received`. */
  z.strictObject({ type: z.literal('resume'), resumeToken: secret(200), received: count, columns, rows }),
  /** All output before byte `position` is on the screen. */
  z.strictObject({ type: z.literal('ackOutput'), position: count }),
  /** The person is done with the shell. A connection that only closes leaves it waiting. */
  z.strictObject({ type: z.literal('end') }),
  z.strictObject({ type: z.literal('resize'), columns, rows }),
  /** Answers to a `prompt`, in its order. */
  z.strictObject({ type: z.literal('answer'), answers: z.array(z.string().max(1000)).max(10) }),
]);
export type TerminalClientMessage = z.infer<typeof terminalClientMessage>;

export const terminalFailures = [
  'tunnel_ticket_invalid',
  'controller_offline',
  'node_unreachable',
  'tunnels_limit_reached',
  'service_refused',
  'ssh_authentication_failed',
  'ssh_private_key_invalid',
  'host_key_changed',
  /** The device has none that are newer, and nobody has taken them for it; see `oldAlgorithms` of `start`. */
  'ssh_old_algorithms',
  'ssh_failed',
  'access_ended',
  'ended_by_admin',
  /** Too much waited in the server for a browser that did not read. */
  'unread',
  /** Too many short pieces for too long. */
  'flood',
  /** The server stops; the shell ended with it. */
  'server_stopping',
  /** Nothing waits for this `resume`: its minute is over, or the shell has ended otherwise. */
  'session_gone',
  /** The server node that had this shell is gone, and the shell with it. */
  'node_gone',
  /** A newer connection has the shell now. */
  'taken_over',
  'invalid_request',
] as const;
export type TerminalFailure = (typeof terminalFailures)[number];

export const terminalServerMessage = z.discriminatedUnion('type', [
  /**
   * The shell is open. `hostKeyIsNew` on the first login, when the key was pinned just now. `resumeToken` is for this
   * page's memory alone.
   */
  z.object({
    type: z.literal('ready'),
    hostKeyFingerprint: z.string(),
    hostKeyIsNew: z.boolean(),
    resumeToken: z.string(),
  }),
  /** The shell goes on: input before byte `received` has arrived, the output that was asked for follows. */
  z.object({ type: z.literal('resumed'), received: count }),
  /** The device has taken all input before byte `position`. */
  z.object({ type: z.literal('ackInput'), position: count }),
  /** Every 15 s: a page that hears nothing for longer has lost its connection, whatever its browser thinks. */
  z.object({ type: z.literal('alive') }),
  /** The controller's link was cut. The shell goes on if it is back within so long, and ends otherwise. */
  z.object({ type: z.literal('controllerLost'), remainingMs: count }),
  /** The shell goes on. */
  z.object({ type: z.literal('controllerBack') }),
  z.object({
    type: z.literal('prompt'),
    title: z.string(),
    instructions: z.string(),
    prompts: z.array(z.object({ text: z.string(), echo: z.boolean() })),
  }),
  /** The end, with a reason. A changed host key comes with both fingerprints, old algorithms with their names. */
  z.object({
    type: z.literal('failed'),
    code: z.enum(terminalFailures),
    /** In the language of the account. */
    detail: z.string(),
    /** The device's own words, or those of SSH: text of a stranger, in whatever language. */
    reason: z.string().optional(),
    /** Of `service_refused`: the device is connected by SSH and did not forward its port 22. */
    isNotForwarded: z.literal(true).optional(),
    pinnedFingerprint: z.string().optional(),
    presentedFingerprint: z.string().optional(),
    algorithms: z.array(z.string()).optional(),
  }),
  z.object({ type: z.literal('exit'), exitCode: z.number().int().nullable(), signal: z.string().nullable() }),
]);
export type TerminalServerMessage = z.infer<typeof terminalServerMessage>;

/** By which clients outside a browser send the key of a tunnel, so that no address holds it. */
export const tunnelKeyHeader = 'pult-tunnel-key';
