import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import {
  type FileFailure,
  type FilesClientMessage,
  type FilesServerMessage,
  showRawBytes,
} from '@pult/contract';
import type { SFTPWrapper } from 'ssh2';
import type { Shell } from '../ssh/shell.ts';
import type { FileDownloads } from './file-downloads.ts';
import { FileError, failureOf } from './file-error.ts';
import { keepRawNames } from './raw-names.ts';
import { readRemoteFile } from './read-file.ts';
import { freeName, listFolder, pathIn, statOf, truePath } from './remote-files.ts';
import { openUpload, type Upload } from './upload.ts';

type Message<Type extends FilesClientMessage['type']> = Extract<FilesClientMessage, { type: Type }>;

/** How a transfer ended, for the audit log. */
export interface TransferRecord {
  action: 'file.downloaded' | 'file.uploaded';
  path: string;
  bytes: number;
  outcome: 'done' | FileFailure;
}

interface Dependencies {
  shell: Shell;
  /** The panel's own channel; each download has one more. */
  sftp: SFTPWrapper;
  downloads: FileDownloads;
  owner: { sessionId: string; serialNumber: string };
  send: (message: FilesServerMessage) => void;
  /** Bytes that went to the device and came from it. */
  count: (bytesIn: number, bytesOut: number) => void;
  record: (transfer: TransferRecord) => void;
}

interface RunningUpload {
  request: number;
  path: string;
  size: number;
  upload: Upload;
  /** Bytes that have come, and those that the device has written. */
  came: number;
  written: number;
  /** All writes so far, one after the other. */
  writes: Promise<void>;
  isOver: boolean;
}

/** Downloads of one panel at once: each takes a channel of the login, of which sshd grants ten. */
const maxDownloads = 3;
/** Between two words about a download, in bytes. */
const progressStep = 512 * 1024;

/** What the file panel of one terminal does. Every failure is answered; nothing is thrown. */
export function createFileTransfers(dependencies: Dependencies) {
  const { shell, sftp, downloads, owner, send, count, record } = dependencies;
  let upload: RunningUpload | undefined;
  let isOpening = false;
  const running = new Map<number, { stop: () => void }>();

  const refuse = (request: number, error: unknown) =>
    send({ type: 'refused', request, code: failureOf(error) });

  async function list({ request, path }: Message<'list'>): Promise<void> {
    send({ type: 'listing', request, ...(await listFolder(sftp, path)) });
  }

  async function findFile(path: string) {
    const file = await truePath(sftp, path);
    const stats = await statOf(sftp, file);
    if (!stats) throw new FileError('not_found');
    if (!stats.isFile()) throw new FileError('not_a_file');
    // Files of /proc say 0 and have content.
    const size = stats.size > 0 ? stats.size : undefined;
    // Under what the browser saves it: a disk of another system takes no bytes.
    const name = showRawBytes(file.slice(file.lastIndexOf('/') + 1));
    return { file, name, size };
  }

  async function download({ request, path }: Message<'download'>): Promise<void> {
    if (running.size >= maxDownloads) throw new FileError('busy');
    let stream: Readable | undefined;
    let isCancelled = false;
    // Before the device is asked: of many that a page asks for at once, none passes the limit.
    running.set(request, {
      stop() {
        isCancelled = true;
        stream?.destroy(new FileError('cancelled'));
        if (!stream) running.delete(request);
      },
    });
    const found = await findFile(path).catch((error: unknown) => {
      running.delete(request);
      throw error;
    });
    if (isCancelled) throw new FileError('cancelled');
    const { file, name, size } = found;
    const open = async () => {
      if (isCancelled) throw new FileError('cancelled');
      const opened = await shell.openSftp().catch((error: unknown) => {
        running.delete(request);
        refuse(request, error);
        throw error;
      });
      const channel = keepRawNames(opened);
      channel.on('error', () => {});
      stream = readRemoteFile(channel, file, size);
      watch(request, file, stream, () => channel.end());
      if (isCancelled) stream.destroy(new FileError('cancelled'));
      return stream;
    };
    const transferId = downloads.offer({
      ...owner,
      name,
      size,
      open,
      onExpired() {
        running.delete(request);
        send({ type: 'refused', request, code: 'cancelled' });
      },
    });
    send({ type: 'download', request, transferId, name, size: size ?? null });
  }

  /** Tells how a download goes on and ends: by itself, by the browser, or by the device. */
  function watch(request: number, path: string, stream: Readable, end: () => void): void {
    let bytes = 0;
    let told = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      count(0, chunk.length);
      if (bytes - told < progressStep) return;
      told = bytes;
      send({ type: 'progress', request, bytes });
    });
    // Only who takes the stream makes it flow.
    stream.pause();
    const conclude = (outcome: TransferRecord['outcome']) => {
      end();
      running.delete(request);
      if (outcome === 'done') send({ type: 'done', request, bytes });
      else send({ type: 'refused', request, code: outcome });
      record({ action: 'file.downloaded', path: showRawBytes(path), bytes, outcome });
    };
    finished(stream).then(
      () => conclude('done'),
      (error: Error & { code?: unknown }) =>
        // The browser let go of it.
        conclude(error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? 'cancelled' : failureOf(error)),
    );
  }

  async function begin({ request, folder, name, size, collision }: Message<'upload'>): Promise<void> {
    if (upload || isOpening) throw new FileError('busy');
    isOpening = true;
    try {
      const parent = await truePath(sftp, folder);
      const isTaken = (await statOf(sftp, pathIn(parent, name))) !== undefined;
      if (isTaken && collision === 'ask') throw new FileError('exists');
      const given = isTaken && collision === 'keep_both' ? await freeName(sftp, parent, name) : name;
      const path = pathIn(parent, given);
      const replaces = isTaken && collision === 'replace';
      const opened = await openUpload(sftp, path, { size, replaces });
      const writes = Promise.resolve();
      upload = { request, path, size, upload: opened, came: 0, written: 0, writes, isOver: false };
      send({ type: 'upload', request, name: given });
    } finally {
      isOpening = false;
    }
  }

  async function end(ending: RunningUpload, error?: unknown): Promise<void> {
    if (ending.isOver) return;
    ending.isOver = true;
    let outcome: TransferRecord['outcome'] = 'done';
    try {
      if (error !== undefined) throw error;
      await ending.upload.finish();
    } catch (reason) {
      outcome = failureOf(reason);
      await ending.upload.abort();
    }
    if (upload === ending) upload = undefined;
    const { request, path, written: bytes } = ending;
    if (outcome === 'done') send({ type: 'done', request, bytes });
    else send({ type: 'refused', request, code: outcome });
    record({ action: 'file.uploaded', path: showRawBytes(path), bytes, outcome });
  }

  return {
    handle(message: Exclude<FilesClientMessage, { type: 'attach' }>): void {
      const { request } = message;
      const answer = (work: Promise<void>) => void work.catch((error: unknown) => refuse(request, error));
      switch (message.type) {
        case 'list':
          answer(list(message));
          return;
        case 'download':
          answer(download(message));
          return;
        case 'upload':
          answer(begin(message));
          return;
        case 'sent': {
          const sent = upload;
          if (sent?.request !== request) return;
          // A file that changed while it was sent is no file anyone wants.
          const error = sent.came === sent.size ? undefined : new FileError('failed');
          void sent.writes.then(
            () => end(sent, error),
            () => {}, // told by the write
          );
          return;
        }
        case 'cancel':
          if (upload?.request === request) void end(upload, new FileError('cancelled'));
          else running.get(request)?.stop();
      }
    },

    /** Bytes of the upload. Those of one that has just failed are still on their way: they go nowhere. */
    receive(chunk: Buffer): void {
      const receiving = upload;
      if (!receiving || receiving.isOver) return;
      receiving.came += chunk.length;
      if (receiving.came > receiving.size) {
        void end(receiving, new FileError('failed'));
        return;
      }
      const write = receiving.upload.write(chunk).then(() => {
        receiving.written += chunk.length;
        count(chunk.length, 0);
        send({ type: 'progress', request: receiving.request, bytes: receiving.written });
      });
      write.catch((error: unknown) => end(receiving, error));
      receiving.writes = Promise.all([receiving.writes, write]).then(() => {});
      receiving.writes.catch(() => {});
    },

    /** Bytes that have come and are not written. */
    get waiting(): number {
      return upload ? upload.came - upload.written : 0;
    },

    /** The page is gone, and with it the rest of an upload. Downloads are the browser's. */
    close(): void {
      if (upload) void end(upload, new FileError('cancelled')).finally(() => sftp.end());
      else sftp.end();
    },
  };
}
export type FileTransfers = ReturnType<typeof createFileTransfers>;
