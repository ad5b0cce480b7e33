import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';

/** Where a device's web interface is reached. */
export interface Target {
  host: string;
  port: number;
  /** `Host` included. */
  headers: Readonly<Record<string, string>>;
}

/** A transfer that goes on until it is stopped. */
export interface Bulk {
  /** Bytes that have arrived. */
  count(): Promise<number>;
  /** Why it came to an end of its own. */
  readonly failure: string | undefined;
  stop(): void;
}

const endless = 2_000_000_000;

function formatHead(method: string, { headers }: Target, more: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} /${endless} HTTP/1.1\r\n${lines.join('')}connection: close\r\n${more}\r\n`;
}

export function startDownload(target: Target): Bulk {
  let received = 0;
  let failure: string | undefined;
  const socket = connect(target.port, target.host);
  socket.on('error', (error) => {
    failure ??= error.message;
  });
  socket.on('close', () => {
    failure ??= 'closed';
  });
  socket.once('data', (chunk: Buffer) => {
    const [status = ''] = chunk.toString('latin1').split('\r\n');
    if (!status.includes(' 200 ')) failure ??= status;
  });
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  socket.write(formatHead('GET', target, ''));
  return {
    count: async () => received,
    get failure() {
      return failure;
    },
    stop: () => socket.destroy(),
  };
}

/** Counted where it arrives: on its way much waits in buffers. */
export function startUpload(target: Target, countAtDevice: () => Promise<number>): Bulk {
  let failure: string | undefined;
  // Nothing that a compressing tunnel could save.
  const block = randomBytes(32 * 1024);
  const socket = connect(target.port, target.host);
  socket.on('error', (error) => {
    failure ??= error.message;
  });
  socket.on('close', () => {
    failure ??= 'closed';
  });
  socket.on('data', (chunk: Buffer) => {
    failure ??= chunk.toString('latin1').split('\r\n')[0];
  });
  socket.write(formatHead('POST', target, `content-length: ${endless}\r\n`));
  const pour = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', pour);
  pour();
  return {
    count: countAtDevice,
    get failure() {
      return failure;
    },
    stop: () => socket.destroy(),
  };
}

/** Milliseconds of a small request over a connection of its own; endless when it fails. */
export function measureRequest({ host, port, headers }: Target, timeoutMs = 40_000): Promise<number> {
  return new Promise((resolve) => {
    const started = performance.now();
    const fail = () => resolve(Number.POSITIVE_INFINITY);
    const call = request({ host, port, path: '/small', headers, agent: false, timeout: timeoutMs });
    call.on('timeout', () => call.destroy(new Error('no answer')));
    call.on('error', fail);
    call.on('response', (response) => {
      response.resume();
      response.on('error', fail);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - started);
        else fail();
      });
    });
    call.end();
  });
}

/** What the device's program says on its socket. */
export function askDevice(socketPath: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path: '/' });
    call.on('error', reject);
    call.on('response', async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve(Number(text));
    });
    call.end();
  });
}
