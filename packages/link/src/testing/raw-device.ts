import type { Duplex } from 'node:stream';
import { formatOutcome, formatPiece } from '../archive-frames.ts';
import { type FrameHandler, FrameParser, formatHeader, frameFlags, frameTypes } from '../session/frames.ts';

/** A frame of data as a device may send it, be it lawful or not. */
export function dataFrame(streamId: number, data: string | Buffer, flags = 0): Buffer {
  const payload = Buffer.from(data);
  return Buffer.concat([formatHeader(frameTypes.data, flags, streamId, payload.length), payload]);
}

/** Cuts a stream. */
export function resetFrame(streamId: number): Buffer {
  return formatHeader(frameTypes.reset, 0, streamId, 0);
}

/** Says yes to a request, with what comes first. */
export function acceptFrame(streamId: number, data = '', isEnd = false): Buffer {
  return dataFrame(streamId, `200\n${data}`, isEnd ? frameFlags.end : 0);
}

/** Reads what the cloud sends over a bare connection, and calls back with each request line and each credit. */
export function readRequests(
  socket: Duplex,
  onRequest: (streamId: number, line: string) => void,
  onCredit: (streamId: number, offset: number) => void = () => {},
): void {
  const lines = new Map<number, string>();
  const ignore = () => {};
  const handler: FrameHandler = {
    onData: ignore,
    onPayload(streamId, _flags, piece) {
      const before = lines.get(streamId) ?? '';
      const text = before + piece.toString('latin1');
      lines.set(streamId, text);
      if (before.includes('\n') || !text.includes('\n')) return;
      onRequest(streamId, text.slice(0, text.indexOf('\n')));
    },
    onPing(isAnswer, number) {
      if (!isAnswer) socket.write(formatHeader(frameTypes.ping, frameFlags.answer, 0, number));
    },
    onGoodbye: ignore,
    onPosition: ignore,
    onCredit,
    onAcknowledgement: ignore,
    onResume: ignore,
    onReset: ignore,
    onTake: ignore,
    onWantBulk: ignore,
    onBroken: ignore,
  };
  const parser = new FrameParser(handler, 4096, false);
  socket.on('error', () => {});
  socket.on('data', (bytes: Buffer) => parser.read(bytes));
}

/** An archive as an agent may answer it, honest or not. */
export const archive = { formatPiece, formatOutcome };
