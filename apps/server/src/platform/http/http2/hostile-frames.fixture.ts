import { frameFlags, frameTypes, preface } from './frames.ts';

/** A whole number below that one: the same sequence for the same seed. */
export type Random = (below: number) => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const pick = <T>(random: Random, items: readonly [T, ...T[]]): T => items[random(items.length)] ?? items[0];
const bytesOf = (random: Random, length: number) => Buffer.from(Array.from({ length }, () => random(256)));

export function formatFrame(
  type: number,
  flags: number,
  streamId: number,
  payload: Buffer | string = '',
): Buffer {
  const bytes = Buffer.from(payload);
  const header = Buffer.alloc(9);
  header.writeUIntBE(bytes.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(streamId >>> 0, 5);
  return Buffer.concat([header, bytes]);
}

export function formatNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

/** HPACK without its table (RFC 7541, section 6.2.2). */
export function packHeaders(headers: readonly [string, string][]): Buffer {
  const text = (value: string) => {
    const bytes = Buffer.from(value, 'latin1');
    // A number of a prefix of seven bits, which longer ones follow in groups of seven.
    if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
    const length = [127];
    let rest = bytes.length - 127;
    for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
    return Buffer.concat([Buffer.from([...length, rest]), bytes]);
  };
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

export function requestFrame(streamId: number, path: string, options: Partial<RequestOptions> = {}): Buffer {
  const { method = 'GET', authority = 'localhost', isWhole = true, headers = [] } = options;
  const pseudo: [string, string][] = [
    [':method', method],
    [':scheme', 'https'],
    [':path', path],
    [':authority', authority],
  ];
  const flags = frameFlags.endHeaders | (isWhole ? frameFlags.endStream : 0);
  return formatFrame(frameTypes.headers, flags, streamId, packHeaders([...pseudo, ...headers]));
}
interface RequestOptions {
  method: string;
  authority: string;
  isWhole: boolean;
  headers: [string, string][];
}

export const opening = Buffer.concat([preface, formatFrame(frameTypes.settings, 0, 0)]);

/** What requests ask for. */
export interface Asked {
  authority: string;
  paths: readonly [string, ...string[]];
}

const ofFixture: Asked = {
  authority: 'localhost',
  paths: ['/', '/big', '/slow', '/cut', '/echo', '/events', '/nowhere'],
};

/** The same as an honest client's mostly, and now and then what no client may say. */
function randomFrame(random: Random, streams: number[], { authority, paths }: Asked): Buffer {
  const known = streams[random(Math.max(1, streams.length))] ?? 1;
  const streamId = random(12) === 0 ? random(40) : known;
  switch (random(22)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5: {
      const next = 2 * streams.length + 1;
      streams.push(next);
      const isWhole = random(3) > 0;
      const method = isWhole ? pick(random, ['GET', 'GET', 'HEAD', 'OPTIONS']) : 'POST';
      const odd: [string, string][] = random(6) === 0 ? [pick(random, oddHeaders)] : [];
      return requestFrame(next, pick(random, paths), { authority, method, isWhole, headers: odd });
    }
    case 6:
    case 7:
    case 8:
      return formatFrame(
        frameTypes.data,
        pick(random, [0, 0, 1, 8, 9]),
        streamId,
        bytesOf(random, random(random(4) === 0 ? 9_000 : 60)),
      );
    case 9:
      return formatFrame(frameTypes.reset, 0, streamId, formatNumber(pick(random, [0, 1, 2, 3, 8, 11, 999])));
    case 10:
    case 11:
      return formatFrame(
        frameTypes.windowUpdate,
        0,
        random(2) === 0 ? 0 : streamId,
        formatNumber(pick(random, [1, 100, 65_535, 65_535, 0x7fffffff, 0])),
      );
    case 12:
      return formatFrame(frameTypes.ping, random(2), 0, bytesOf(random, 8));
    case 13:
      return formatFrame(frameTypes.settings, 0, 0, randomSettings(random));
    case 14:
      return formatFrame(frameTypes.settings, 1, 0);
    case 15:
      return formatFrame(
        frameTypes.priority,
        0,
        streamId,
        Buffer.concat([formatNumber(random(30)), Buffer.from([random(256)])]),
      );
    case 16: {
      // Headers in parts, with an end or without, and with something in between.
      const next = 2 * streams.length + 1;
      streams.push(next);
      const whole = requestFrame(next, '/', { authority }).subarray(9);
      const cut = random(whole.length);
      const between = random(4) === 0 ? [formatFrame(frameTypes.ping, 0, 0, Buffer.alloc(8))] : [];
      return Buffer.concat([
        formatFrame(frameTypes.headers, 1, next, whole.subarray(0, cut)),
        ...between,
        formatFrame(frameTypes.continuation, pick(random, [4, 4, 4, 0]), next, whole.subarray(cut)),
      ]);
    }
    case 17:
      return formatFrame(frameTypes.goaway, 0, 0, Buffer.concat([formatNumber(0), formatNumber(random(3))]));
    case 18:
      return formatFrame(
        pick(random, [0x10, 0x0b, 0x2a, 0x49]),
        random(256),
        streamId,
        bytesOf(random, random(40)),
      );
    case 19:
      // Trailers, or a second request on the stream of another.
      return formatFrame(
        frameTypes.headers,
        pick(random, [5, 4, 1]),
        streamId,
        packHeaders([pick(random, oddHeaders)]),
      );
    case 20:
      return formatFrame(random(20), random(256), streamId, bytesOf(random, random(30)));
    default:
      return random(3) === 0
        ? bytesOf(random, 1 + random(60))
        : formatFrame(
            frameTypes.headers,
            pick(random, [4, 5, 0, 12, 37]),
            streamId,
            bytesOf(random, random(50)),
          );
  }
}

const oddHeaders = [
  ['x-trailer', '1'],
  ['content-length', '5'],
  ['content-length', '-1'],
  ['transfer-encoding', 'chunked'],
  ['connection', 'close'],
  ['Upper', '1'],
  [':late', '1'],
  ['te', 'gzip'],
  ['host', 'other'],
  ['expect', '100-continue'],
  ['x', 'a\r\nb: c'],
  ['x', `\u0000${'y'.repeat(300)}`],
  ['x y', ''],
  ['', 'x'],
  ['cookie', 'z'.repeat(9_000)],
] as const satisfies readonly (readonly [string, string])[] as unknown as [
  [string, string],
  ...[string, string][],
];

function randomSettings(random: Random): Buffer {
  const entries = Array.from({ length: random(5) }, () => {
    const entry = Buffer.alloc(6);
    entry.writeUInt16BE(pick(random, [1, 2, 3, 4, 4, 5, 6, 8, 9, 0x0a0a]));
    entry.writeUInt32BE(pick(random, [0, 1, 100, 16_384, 65_535, 16_777_215, 0x7fffffff, 0xffffffff]), 2);
    return entry;
  });
  return random(15) === 0 ? bytesOf(random, random(20)) : Buffer.concat(entries);
}

/** All that one client sends, its frames one by one. */
export function randomConnection(random: Random, asked: Asked = ofFixture): Buffer[] {
  const streams: number[] = [];
  const begin = random(20) === 0 ? bytesOf(random, random(40)) : opening;
  return [begin, ...Array.from({ length: 1 + random(80) }, () => randomFrame(random, streams, asked))];
}

export const floods = {
  pings: () => formatFrame(frameTypes.ping, 0, 0, Buffer.alloc(8)),
  settings: () => formatFrame(frameTypes.settings, 0, 0),
  acknowledgements: () => formatFrame(frameTypes.settings, 1, 0),
  priorities: (index) => formatFrame(frameTypes.priority, 0, 2 * index + 1, Buffer.alloc(5)),
  windows: () => formatFrame(frameTypes.windowUpdate, 0, 0, formatNumber(1)),
  'empty frames': (index) =>
    index === 0
      ? requestFrame(1, '/slow', { method: 'POST', isWhole: false })
      : formatFrame(frameTypes.data, 0, 1),
  'rapid resets': (index) =>
    Buffer.concat([
      requestFrame(2 * index + 1, '/slow'),
      formatFrame(frameTypes.reset, 0, 2 * index + 1, formatNumber(8)),
    ]),
  'requests that the server is made to reset': (index) =>
    Buffer.concat([
      requestFrame(2 * index + 1, '/slow'),
      formatFrame(frameTypes.data, 0, 2 * index + 1, 'x'),
    ]),
  continuations: (index) =>
    index === 0
      ? formatFrame(frameTypes.headers, 0, 1, packHeaders([['a', 'b']]))
      : formatFrame(frameTypes.continuation, 0, 1, packHeaders([['a', 'b']])),
  'types for nobody': () => formatFrame(frameTypes.priorityUpdate, 0, 0, Buffer.alloc(4)),
} satisfies Record<string, (index: number) => Buffer>;
