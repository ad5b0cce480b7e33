import {
  type FileCollision,
  type FileFailure,
  type FilesClientMessage,
  type FilesServerMessage,
  filesServerMessage,
  fileWindows,
  terminalFilesPath,
} from '@pult/contract';
import { socketAddress } from '../terminal/terminal-session.ts';

type Answer<Type extends FilesServerMessage['type']> = Extract<FilesServerMessage, { type: Type }>;
export type Listing = Answer<'listing'>;

/** Why the device, or the connection to it, did not do what was asked. */
export class FileRefusal extends Error {
  readonly code: FileFailure;
  constructor(code: FileFailure) {
    super(code);
    this.code = code;
  }
}

interface Waiting {
  resolve: (message: FilesServerMessage) => void;
  reject: (error: FileRefusal) => void;
}

/** Bytes so far. */
export type Progress = (bytes: number) => void;

/** Files over the login of one open terminal. Every promise is rejected with FileRefusal. */
export interface FilesSession {
  /** Of the connection; rejects when it does not come about. */
  readonly attached: Promise<void>;
  readonly isClosed: boolean;
  list: (path: string) => Promise<Listing>;
  /** Begins a download; `done` is for the browser's part of it. */
  download: (
    path: string,
    onProgress: Progress,
  ) => Promise<{ offer: Answer<'download'>; done: Promise<unknown>; cancel: () => void }>;
  upload: (
    file: File,
    to: { folder: string; collision: FileCollision },
    onProgress: Progress,
    signal: AbortSignal,
  ) => Promise<void>;
  close: () => void;
}

export function openFilesSession(
  resumeToken: string,
  createSocket: (address: string) => WebSocket = (address) => new WebSocket(address),
): FilesSession {
  const socket = createSocket(socketAddress(window.location, terminalFilesPath));
  const waiting = new Map<number, Waiting>();
  const progress = new Map<number, Progress>();
  let lastRequest = 0;
  let isClosed = false;

  function end(code: FileFailure): void {
    if (isClosed) return;
    isClosed = true;
    socket.close();
    for (const { reject } of waiting.values()) reject(new FileRefusal(code));
    waiting.clear();
  }
  const send = (message: FilesClientMessage) => {
    if (!isClosed) socket.send(JSON.stringify(message));
  };
  /** The next word about a request that is no progress. */
  function answerTo(request: number): Promise<FilesServerMessage> {
    return new Promise((resolve, reject) => {
      if (isClosed) reject(new FileRefusal('connection_lost'));
      else waiting.set(request, { resolve, reject });
    });
  }
  /** `attach` is answered without a number. */
  const attached = answerTo(0).then(() => undefined);
  attached.catch(() => undefined); // whoever asks is told again

  function receive(message: FilesServerMessage): void {
    if (message.type === 'failed') {
      end(message.code);
      return;
    }
    if (message.type === 'progress') {
      progress.get(message.request)?.(message.bytes);
      return;
    }
    const request = message.type === 'attached' ? 0 : message.request;
    const asked = waiting.get(request);
    waiting.delete(request);
    if (message.type === 'refused') asked?.reject(new FileRefusal(message.code));
    else asked?.resolve(message);
  }

  socket.addEventListener('open', () => send({ type: 'attach', resumeToken }));
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    try {
      receive(filesServerMessage.parse(JSON.parse(String(data))));
    } catch {
      end('failed');
    }
  });
  socket.addEventListener('close', () => end('connection_lost'));
  socket.addEventListener('error', () => end('connection_lost'));

  async function ask(make: (request: number) => FilesClientMessage): Promise<FilesServerMessage> {
    await attached;
    lastRequest += 1;
    const answer = answerTo(lastRequest);
    send(make(lastRequest));
    return answer;
  }

  return {
    attached,
    get isClosed() {
      return isClosed;
    },
    async list(path) {
      const answer = await ask((request) => ({ type: 'list', request, path }));
      if (answer.type !== 'listing') throw new FileRefusal('failed');
      return answer;
    },
    async download(path, onProgress) {
      const offer = await ask((request) => ({ type: 'download', request, path }));
      if (offer.type !== 'download') throw new FileRefusal('failed');
      const { request } = offer;
      progress.set(request, onProgress);
      const done = answerTo(request).finally(() => progress.delete(request));
      return { offer, done, cancel: () => send({ type: 'cancel', request }) };
    },
    async upload(file, { folder, collision }, onProgress, signal) {
      const { name, size } = file;
      const begun = await ask((request) => ({ type: 'upload', request, folder, name, size, collision }));
      if (begun.type !== 'upload') throw new FileRefusal('failed');
      const { request } = begun;
      let written = 0;
      let moveOn = () => {};
      progress.set(request, (bytes) => {
        written = bytes;
        onProgress(bytes);
        moveOn();
      });
      let isOver = false;
      const done = answerTo(request).finally(() => {
        isOver = true;
        progress.delete(request);
        moveOn();
      });
      done.catch(() => undefined); // told below
      const cancel = () => send({ type: 'cancel', request });
      signal.addEventListener('abort', cancel);
      // Given up before the device had said that it begins.
      if (signal.aborted) cancel();
      try {
        for (let at = 0; at < size && !isOver && !signal.aborted; ) {
          if (at - written >= fileWindows.upload) {
            await new Promise<void>((resolve) => {
              moveOn = resolve;
            });
            continue;
          }
          const piece = await file.slice(at, at + fileWindows.uploadMessage).arrayBuffer();
          if (isOver || signal.aborted || isClosed) break;
          socket.send(piece);
          at += piece.byteLength;
        }
        if (!isOver && !signal.aborted) send({ type: 'sent', request });
        await done;
      } catch (error) {
        // A folder, or a file that has gone: the browser cannot read it.
        if (!(error instanceof FileRefusal)) cancel();
        throw error instanceof FileRefusal ? error : new FileRefusal('failed');
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
    close: () => end('cancelled'),
  };
}
