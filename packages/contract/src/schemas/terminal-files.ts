import { z } from 'zod';
import { secret } from './text.ts';

/**
 * Files of a controller over the login of an open terminal: a WebSocket beside the terminal's own, so that typing
 * never waits behind a file. Text messages are the JSON below; binary messages are the bytes of the one upload that
 * runs. What is downloaded comes by HTTP (`downloadTerminalFile`), so that the browser saves it as it comes.
 */
export const terminalFilesPath = '/api/v1/ssh-files/';

/** Bytes. */
export const fileWindows = {
  /** Of an upload that the device has not written yet: past it the page waits. */
  upload: 1024 * 1024,
  /** The largest piece of an upload in one message. */
  uploadMessage: 64 * 1024,
} as const;

/** A longer folder is shown up to here. */
export const maxFolderEntries = 5_000;

/** Names a request or a transfer of this connection; the page counts them. */
const number = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
// Taken as they are: a file may be called anything but what holds NUL. Bytes that are no UTF-8 are as in values/file-names.ts.
const path = z
  .string()
  .max(4096)
  .regex(/^[^\0]*$/u);
const fileName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\0/]*$/u);

/** What becomes of a file whose name is taken. `ask`: nothing yet, the answer is `exists`. */
export const fileCollisions = ['ask', 'replace', 'keep_both'] as const;
export type FileCollision = (typeof fileCollisions)[number];

export const filesClientMessage = z.discriminatedUnion('type', [
  /** First: whose login it is. */
  z.strictObject({ type: z.literal('attach'), resumeToken: secret(200) }),
  /** An empty path is the home folder. */
  z.strictObject({ type: z.literal('list'), request: number, path }),
  z.strictObject({ type: z.literal('download'), request: number, path }),
  z.strictObject({
    type: z.literal('upload'),
    request: number,
    folder: path,
    name: fileName,
    size: number,
    collision: z.enum(fileCollisions),
  }),
  /** All bytes of the upload are sent. */
  z.strictObject({ type: z.literal('sent'), request: number }),
  z.strictObject({ type: z.literal('cancel'), request: number }),
]);
export type FilesClientMessage = z.infer<typeof filesClientMessage>;

export const fileFailures = [
  'session_gone',
  'sftp_unavailable',
  'permission_denied',
  'not_found',
  'not_a_folder',
  'not_a_file',
  'name_invalid',
  'exists',
  'no_space',
  'busy',
  'cancelled',
  'connection_lost',
  'failed',
] as const;
export type FileFailure = (typeof fileFailures)[number];

export const fileEntry = z.object({
  name: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  size: z.number(),
  /** Seconds since 1970. */
  modified: z.number(),
});
export type FileEntry = z.infer<typeof fileEntry>;

export const filesServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('attached') }),
  /** `path` is the true one; `isCut` when there are more entries. */
  z.object({
    type: z.literal('listing'),
    request: number,
    path: z.string(),
    entries: z.array(fileEntry),
    isCut: z.boolean(),
  }),
  /** To be fetched within a minute, once. `size` is null where the device does not know it. */
  z.object({
    type: z.literal('download'),
    request: number,
    transferId: z.string(),
    name: z.string(),
    size: z.number().nullable(),
  }),
  /** Send the bytes. `name` is another one when both files are kept. */
  z.object({ type: z.literal('upload'), request: number, name: z.string() }),
  /** So many bytes are written on the device, or handed to the browser. */
  z.object({ type: z.literal('progress'), request: number, bytes: number }),
  z.object({ type: z.literal('done'), request: number, bytes: number }),
  /** The request, or the transfer it began, came to nothing. */
  z.object({ type: z.literal('refused'), request: number, code: z.enum(fileFailures) }),
  /** The end of the connection. */
  z.object({ type: z.literal('failed'), code: z.enum(fileFailures) }),
]);
export type FilesServerMessage = z.infer<typeof filesServerMessage>;
