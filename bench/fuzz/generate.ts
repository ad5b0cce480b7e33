import { TelemetryEncoder } from '@pult/link';
import {
  acceptFrame,
  archive,
  dataFrame,
  frameFlags,
  packFrame,
  type Random,
  randomBytes,
} from '@pult/link/testing';
import { describeBenchDevice } from '../links/device-keys.ts';

export function pick<T>(random: Random, items: readonly [T, ...T[]]): T {
  return items[random(items.length)] ?? items[0];
}

/** The bytes with some of them turned, left out, doubled or put in between. */
export function mutate(random: Random, bytes: Buffer): Buffer {
  let mutated = Buffer.from(bytes);
  for (let times = 1 + random(4); times > 0 && mutated.length > 0; times -= 1) {
    const at = random(mutated.length);
    const to = Math.min(mutated.length, at + 1 + random(40));
    const [before, part, after] = [mutated.subarray(0, at), mutated.subarray(at, to), mutated.subarray(to)];
    switch (random(5)) {
      case 0:
        mutated[at] = random(256);
        break;
      case 1:
        mutated = Buffer.concat([before, after]);
        break;
      case 2:
        mutated = Buffer.concat([before, part, part, after]);
        break;
      case 3:
        mutated = Buffer.concat([before, randomBytes(random, random(20)), part, after]);
        break;
      default:
        mutated[at] = pick(random, [0, 1, 10, 13, 32, 127, 128, 255]);
    }
  }
  return mutated;
}

/** What a device says of itself, honest or not. */
function makeInfo(random: Random, serialNumber: string): Buffer {
  const honest = describeBenchDevice(serialNumber);
  const odd = pick<unknown>(random, [
    honest,
    { ...honest, model: 'x'.repeat(random(20_000)) },
    { ...honest, model: '\u0000\u202e' },
    { ...honest, addresses: Array.from({ length: random(200) }, () => '::1') },
    { ...honest, uptimeSeconds: pick<unknown>(random, [-1, 1e308, null, '1', Number.NaN]) },
    { ...honest, serialNumber: '__proto__' },
    { ...honest, ['__proto__']: { admin: true }, constructor: {} },
    [],
    null,
    '['.repeat(random(10_000)),
  ]);
  const text = Buffer.from(typeof odd === 'string' ? odd : JSON.stringify(odd));
  return random(2) === 0 ? text : mutate(random, text);
}

const texts = [
  'x',
  '',
  '\u0000',
  '\ud800',
  '21.5',
  '1e999',
  '-0',
  'NaN',
  '\u202eabc',
  "'; drop table x; --",
  '😀'.repeat(60),
] as const;

/** Telemetry: the greeting, and entries whose frames are lawful, turned, or random. */
function makeTelemetry(random: Random): Buffer {
  const encoder = new TelemetryEncoder();
  const frames = [
    encoder.encodeGreeting({
      streamId: pick(random, ['bench-stream', 'x', '\u0000'.repeat(8)]),
      lost: random(3),
    }),
  ];
  let offset = 0;
  for (let batches = random(8); batches > 0; batches -= 1) {
    const entries = Array.from({ length: 1 + random(60) }, () => {
      offset += pick(random, [1, 1, 1, 7, 1e12]);
      const subject = { device: `d${random(5)}${pick(random, texts)}`, control: `c${random(9)}` };
      const age = pick(random, [0, 100, 1e9, 1e13]);
      const value = random(30) === 0 ? 'v'.repeat(random(5_000)) : pick(random, texts);
      if (random(8) === 0) return { offset, age, metrics: { load15: pick(random, [1, -1e300, 1e301]) } };
      return { offset, age, ...subject, value };
    });
    frames.push(...encoder.encode(entries));
  }
  if (random(3) === 0) frames.push(packFrame(randomBytes(random, 1 + random(300))));
  if (random(6) === 0) frames.push(packFrame(mutate(random, Buffer.alloc(32_000))));
  const bytes = Buffer.concat(frames);
  return random(2) === 0 ? bytes : mutate(random, bytes);
}

function makeArchive(random: Random): Buffer {
  const pieces = Array.from({ length: random(5) }, () =>
    archive.formatPiece(Buffer.alloc(random(20_000), 7)),
  );
  const end = pick(random, [
    archive.formatOutcome({ kind: 'whole', sha256: '0'.repeat(64) }),
    archive.formatOutcome({ kind: 'failed', reason: '\u001b]0;owned\u0007'.repeat(random(100)) }),
    Buffer.from([255, 255, 255, 255]),
    Buffer.alloc(0),
  ]);
  const bytes = Buffer.concat([...pieces, end]);
  return random(2) === 0 ? bytes : mutate(random, bytes);
}

/** Answers to a request through a tunnel: what llhttp and our relay of headers get. */
function makeHttpAnswer(random: Random): Buffer {
  const head = pick(random, [
    'HTTP/1.1 200 OK',
    'HTTP/1.0 200',
    'HTTP/1.1 204 No Content',
    'HTTP/1.1 304 Not Modified',
    'HTTP/1.1 101 Switching Protocols',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK',
    'HTTP/1.1 999 Odd',
    'HTTP/2.0 200 OK',
    'ICY 200 OK',
    '',
  ]);
  const lines = Array.from({ length: random(12) }, () =>
    pick(random, [
      `Content-Length: ${pick(random, ['0', '5', '10', '-1', '+5', '0x5', '99999999999999999999', '5, 5', ''])}`,
      `Transfer-Encoding: ${pick(random, ['chunked', 'gzip, chunked', 'chunked, chunked', 'xchunked', 'identity'])}`,
      `Connection: ${pick(random, ['close', 'keep-alive', 'upgrade', 'set-cookie', ','])}`,
      `Set-Cookie: ${pick(random, ['a=b', 'a=b; Domain=localhost', `x=${'y'.repeat(9_000)}`, '\u0001=1', '=', ';'])}`,
      `Location: ${pick(random, ['/', '//evil.example', 'http://[::1', '\\\\x', 'javascript:1', ' '])}`,
      `Content-Type: ${pick(random, ['text/html', 'text/event-stream', '\u00ff', 'x'.repeat(3_000)])}`,
      `Content-Encoding: ${pick(random, ['gzip', 'br', 'deflate', 'nonsense'])}`,
      'Upgrade: websocket',
      'Trailer: x',
      'X: 1\r\n folded',
      'X : 1',
      'no colon at all',
      `\u0000: ${String.fromCharCode(random(256))}`,
      `${'h'.repeat(random(20_000))}: 1`,
    ] as [string, ...string[]]),
  );
  const body = pick(random, [
    'hello',
    '5\r\nhello\r\n0\r\n\r\n',
    '5;x=1\r\nhello\r\n0\r\nTrailer: 1\r\n\r\n',
    'ffffffffffffffff\r\nx',
    '-1\r\n\r\n',
    `5\r\nhello\r\n${'0'.repeat(random(3_000))}\r\n\r\n`,
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc',
    '\u001f\u008b\u0008\u0000broken',
    'x'.repeat(random(60_000)),
    '',
  ]);
  const end = pick(random, ['\r\n', '\r\n', '\r\n', '\n', '\r']);
  const bytes = Buffer.from([head, ...lines, '', body].join(end), 'latin1');
  return random(3) === 0 ? mutate(random, bytes) : bytes;
}

/** What a device answers to a request line: mostly that it accepts, and what belongs to the request, cut into frames. */
export function makeAnswer(random: Random, streamId: number, line: string, serialNumber: string): Buffer[] {
  if (random(12) === 0) return [refuse(random, streamId)];
  const body = makeBody(random, line, serialNumber);
  const frames = [acceptFrame(streamId)];
  for (let at = 0; at < body.length; ) {
    const part = body.subarray(at, at + 1 + random(random(2) === 0 ? 30 : 8_000));
    at += part.length;
    frames.push(dataFrame(streamId, part));
    // Of a long answer the window may not have room for more.
    if (at > 16_000) break;
  }
  if (random(3) > 0) frames.push(dataFrame(streamId, '', frameFlags.end));
  return frames;
}

function refuse(random: Random, streamId: number): Buffer {
  const line = pick(random, [
    '404\n',
    '502 \u001b[31mred\n',
    '200',
    `${'9'.repeat(3_000)}\n`,
    '\n',
    '101\n',
    '200 ok\n',
  ]);
  return dataFrame(streamId, line, random(2) === 0 ? frameFlags.end : 0);
}

function makeBody(random: Random, line: string, serialNumber: string): Buffer {
  if (line.includes('/v1/info')) return makeInfo(random, serialNumber);
  if (line.includes('/v1/telemetry')) return makeTelemetry(random);
  if (line.includes('/v1/diagnostics')) return makeArchive(random);
  if (line.includes('/v1/state')) return Buffer.alloc(0);
  return makeHttpAnswer(random);
}
