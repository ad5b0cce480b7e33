import { z } from 'zod';
import { limits } from '../limits.ts';
import { secret } from './text.ts';

/**
 * The SSH terminal's WebSocket: text messages are the JSON below, binary messages are the terminal's bytes, both ways.
 */
export const terminalPath = '/api/v1/ssh-terminal/';

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
  }),
  z.strictObject({ type: z.literal('resize'), columns, rows }),
  /** Answers to a `prompt`, in its order. */
  z.strictObject({ type: z.literal('answer'), answers: z.array(z.string().max(1000)).max(10) }),
]);
export type TerminalClientMessage = z.infer<typeof terminalClientMessage>;

export const terminalFailures = [
  'tunnel_ticket_invalid',
  'controller_offline',
  'service_refused',
  'ssh_authentication_failed',
  'ssh_private_key_invalid',
  'host_key_changed',
  'ssh_failed',
  'access_ended',
  'invalid_request',
] as const;
export type TerminalFailure = (typeof terminalFailures)[number];

export const terminalServerMessage = z.discriminatedUnion('type', [
  /** The shell is open. `hostKeyIsNew` on the first login, when the key was pinned just now. */
  z.object({ type: z.literal('ready'), hostKeyFingerprint: z.string(), hostKeyIsNew: z.boolean() }),
  z.object({
    type: z.literal('prompt'),
    title: z.string(),
    instructions: z.string(),
    prompts: z.array(z.object({ text: z.string(), echo: z.boolean() })),
  }),
  /** The end, with a reason. A changed host key comes with both fingerprints. */
  z.object({
    type: z.literal('failed'),
    code: z.enum(terminalFailures),
    detail: z.string(),
    pinnedFingerprint: z.string().optional(),
    presentedFingerprint: z.string().optional(),
  }),
  z.object({ type: z.literal('exit'), exitCode: z.number().int().nullable(), signal: z.string().nullable() }),
]);
export type TerminalServerMessage = z.infer<typeof terminalServerMessage>;

/**
 * The raw bytes of an SSH connection in binary messages of a WebSocket, for SSH clients outside a browser. The
 * tunnel's key comes in a header, so that no address holds it.
 */
export const sshStreamPath = '/api/v1/ssh-stream/';
export const tunnelKeyHeader = 'pult-tunnel-key';
