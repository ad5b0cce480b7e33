import { connect } from 'node:net';

export interface Door {
  port: number;
  /** Headers that lead to the source, `Host` included. */
  headers: Readonly<Record<string, string>>;
}

/**
 * Downloads over a new connection and throws the bytes away, with as little work as Node allows, so that the client
 * is not what is measured. Answers bytes a second, from the request to the last byte. Fails when the answer is cut,
 * is no 200, or takes longer than `timeoutMs`.
 */
export function measureDownload(door: Door, bytes: number, timeoutMs = 120_000): Promise<number> {
  const headers = Object.entries({ ...door.headers, connection: 'close' });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let received = -1; // the head is not complete yet
    let start = '';
    const takeHead = (chunk: Buffer) => {
      start += chunk.toString('latin1');
      const end = start.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!start.startsWith('HTTP/1.1 200')) fail(new Error(`answered ${start.slice(0, 200)}`));
      if (!/content-length: /i.test(start)) fail(new Error('the answer has no length'));
      received = start.length - end - 4;
    };
    const finishWhenComplete = () => {
      if (received < bytes) return;
      clearTimeout(timer);
      socket.destroy();
      resolve(bytes / ((performance.now() - started) / 1000));
    };
    const socket = connect({
      port: door.port,
      host: '127.0.0.1',
      onread: {
        buffer: Buffer.allocUnsafe(256 * 1024),
        callback: (size, buffer) => {
          if (received < 0) takeHead(Buffer.from(buffer.subarray(0, size)));
          else received += size;
          finishWhenComplete();
          return true;
        },
      },
    });
    const fail = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () => fail(new Error(`${received} of ${bytes} bytes in ${timeoutMs} ms`)),
      timeoutMs,
    );
    socket.on('error', fail);
    socket.on('close', () => fail(new Error(`cut after ${received} of ${bytes} bytes`)));
    socket.write(`GET /${bytes} HTTP/1.1\r\n${head}\r\n`);
  });
}
