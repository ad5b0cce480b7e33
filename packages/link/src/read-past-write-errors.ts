import type { Duplex } from 'node:stream';

type Done = (error?: Error | null) => void;

/**
 * Lets what a socket has said be read though it takes no more: a service may refuse an upload, answer and close, and Node throws
 * the unread answer away with the socket when a write to it fails. What is written after that is dropped, and the socket is
 * destroyed once all that it has said is read.
 */
export function readPastWriteErrors(socket: Duplex): void {
  let takesNoMore = false;
  const forgive =
    (done: Done): Done =>
    (error) => {
      if (error && !takesNoMore) {
        takesNoMore = true;
        if (socket.readableEnded) socket.destroy();
        else socket.once('end', () => socket.destroy());
      }
      done();
    };
  const write = socket._write;
  socket._write = (chunk, encoding, done) => {
    if (takesNoMore) done();
    else write.call(socket, chunk, encoding, forgive(done));
  };
  const writev = socket._writev;
  if (!writev) return;
  socket._writev = (chunks, done) => {
    if (takesNoMore) done();
    else writev.call(socket, chunks, forgive(done));
  };
}
