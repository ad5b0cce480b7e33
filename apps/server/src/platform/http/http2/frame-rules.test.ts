import { describe, expect, it } from 'vitest';
import { FrameRules, limits, type Verdict } from './frame-rules.ts';
import { frameHeaderBytes, frameTypes, readFrameHeader } from './frames.ts';
import { floods, formatFrame, formatNumber, packHeaders, requestFrame } from './hostile-frames.fixture.ts';

const settings = formatFrame(frameTypes.settings, 0, 0);

/** What becomes of frames that come one after the other; the message of the one that ends the connection is last. */
function check(frames: readonly Buffer[], rules = new FrameRules(() => 0)): (Verdict | string)[] {
  const verdicts: (Verdict | string)[] = [];
  try {
    for (const frame of frames) {
      const header = readFrameHeader(frame);
      const verdict = rules.checkHeader(header);
      if (header.type !== frameTypes.data) rules.checkPayload(header, frame.subarray(frameHeaderBytes));
      verdicts.push(verdict);
    }
  } catch (error) {
    verdicts.push((error as Error).message);
  }
  return verdicts;
}

const repeat = (count: number, create: (index: number) => Buffer) =>
  Array.from({ length: count }, (_, at) => create(at));
const priority = (streamId: number, on: number) =>
  formatFrame(frameTypes.priority, 0, streamId, Buffer.concat([formatNumber(on), Buffer.from([1])]));

describe('rules of frames', () => {
  it('let everything through that browsers send', () => {
    const frames = [
      settings,
      formatFrame(frameTypes.windowUpdate, 0, 0, formatNumber(15_663_105)),
      priority(3, 0),
      requestFrame(1, '/'),
      formatFrame(frameTypes.settings, 1, 0),
      requestFrame(3, '/upload', { method: 'POST', isWhole: false }),
      formatFrame(frameTypes.data, 0, 3, Buffer.alloc(16_384)),
      formatFrame(frameTypes.data, 1, 3),
      formatFrame(frameTypes.headers, 1, 5, packHeaders([['a', 'b']])),
      formatFrame(frameTypes.continuation, 4, 5, packHeaders([['c', 'd']])),
      formatFrame(frameTypes.reset, 0, 3, formatNumber(8)),
      formatFrame(frameTypes.ping, 0, 0, Buffer.alloc(8)),
    ];
    expect(check(frames)).toEqual(frames.map(() => 'pass'));
  });

  it('keep to themselves what is for nobody, and goodbyes', () => {
    const goodbye = formatFrame(frameTypes.goaway, 0, 0, Buffer.alloc(8));
    const update = formatFrame(frameTypes.priorityUpdate, 0, 0, Buffer.alloc(8));
    expect(check([settings, update, formatFrame(0x2a, 3, 9, 'x'), goodbye])).toEqual([
      'pass',
      'ignore',
      'ignore',
      'goaway',
    ]);
  });

  it.each<[string, Buffer[]]>([
    ['a request before settings', [requestFrame(1, '/')]],
    ['an acknowledgement before settings', [formatFrame(frameTypes.settings, 1, 0)]],
    ['settings of a wrong length', [settings, formatFrame(frameTypes.settings, 0, 0, 'x')]],
    ['settings of a stream', [settings, formatFrame(frameTypes.settings, 0, 1)]],
    ['settings without end', [settings, formatFrame(frameTypes.settings, 0, 0, Buffer.alloc(6 * 33))]],
    ['an acknowledgement with a body', [settings, formatFrame(frameTypes.settings, 1, 0, Buffer.alloc(6))]],
    ['a ping of a wrong length', [settings, formatFrame(frameTypes.ping, 0, 0, 'x')]],
    ['a reset of a wrong length', [settings, formatFrame(frameTypes.reset, 0, 1, 'x')]],
    ['a reset of no stream', [settings, formatFrame(frameTypes.reset, 0, 0, formatNumber(1))]],
    ['a window of a wrong length', [settings, formatFrame(frameTypes.windowUpdate, 0, 0, 'x')]],
    [
      'a window that opens by nothing',
      [settings, formatFrame(frameTypes.windowUpdate, 0, 1, formatNumber(0))],
    ],
    ['a priority of a wrong length', [settings, formatFrame(frameTypes.priority, 0, 1, 'x')]],
    ['a stream that depends on itself', [settings, priority(3, 3)]],
    ['a goodbye of a wrong length', [settings, formatFrame(frameTypes.goaway, 0, 0, 'x')]],
    ['a push', [settings, formatFrame(frameTypes.pushPromise, 4, 1, formatNumber(2))]],
    ['an alternative service', [settings, formatFrame(frameTypes.altSvc, 0, 0, 'xx')]],
    ['an origin', [settings, formatFrame(frameTypes.origin, 0, 0, 'xx')]],
    ['a request on a stream of ours', [settings, requestFrame(2, '/')]],
    ['a body of no stream', [settings, formatFrame(frameTypes.data, 0, 0, 'x')]],
    ['a body without the padding it says', [settings, formatFrame(frameTypes.data, 8, 1)]],
    ['headers without the priority they say', [settings, formatFrame(frameTypes.headers, 32, 1, 'xxxx')]],
    ['a continuation of nothing', [settings, formatFrame(frameTypes.continuation, 4, 1, 'x')]],
    [
      'a ping within headers',
      [
        settings,
        formatFrame(frameTypes.headers, 0, 1, 'x'),
        formatFrame(frameTypes.ping, 0, 0, Buffer.alloc(8)),
      ],
    ],
    [
      'a continuation of another stream',
      [settings, formatFrame(frameTypes.headers, 0, 1, 'x'), formatFrame(frameTypes.continuation, 4, 3, 'x')],
    ],
    ['a frame that is too long', [settings, formatFrame(frameTypes.data, 0, 1, Buffer.alloc(16_385))]],
    [
      'headers that are too long',
      [settings, ...repeat(3, (at) => formatFrame(at === 0 ? 1 : 9, 0, 1, Buffer.alloc(16_000)))],
    ],
  ])('end a connection by %s', (_, frames) => {
    const verdicts = check(frames);
    expect(verdicts.slice(0, -1)).toEqual(frames.slice(0, -1).map(() => 'pass'));
    expect(['pass', 'ignore', 'goaway']).not.toContain(verdicts.at(-1));
  });

  it.each(Object.entries(floods).filter(([name]) => name !== 'requests that the server is made to reset'))(
    'end a connection by a flood of %s',
    (_, create) => {
      const verdicts = check([settings, ...repeat(1_100, create).flatMap(splitFrames)]);
      expect(verdicts.at(-1)).toMatch(/^(too many|headers that do not end)/);
    },
  );

  it('let as many pings through as there is time for', () => {
    let now = 0;
    const rules = new FrameRules(() => now);
    check([settings], rules);
    for (let second = 0; second < 100; second += 1) {
      now += 1_000;
      expect(check(repeat(8, floods.pings), rules)).toEqual(Array(8).fill('pass'));
    }
  });

  it('let windows open as often as what was sent asks for', () => {
    const rules = new FrameRules(() => 0);
    check([settings], rules);
    for (let megabyte = 0; megabyte < 50; megabyte += 1) {
      rules.creditSent(2 ** 20);
      expect(check(repeat(64, floods.windows), rules)).not.toContain('too many windows');
    }
    expect(check(repeat(20_000, floods.windows), rules).at(-1)).toBe('too many windows');
  });

  it('count the requests that a client makes the server give up', () => {
    const rules = new FrameRules(() => 0);
    for (let count = 0; count < 500; count += 1) rules.countReset();
    expect(() => rules.countReset()).toThrow('too many requests');
  });

  it('take headers in as many parts as large cookies need', () => {
    const parts = [4_000, 4_000, 8_000].map((bytes, at) =>
      formatFrame(at === 0 ? 1 : 9, at === 2 ? 4 : 0, 1, Buffer.alloc(bytes)),
    );
    expect(check([settings, ...parts, requestFrame(3, '/')])).toEqual(Array(5).fill('pass'));
    expect(limits.headerBytes).toBeGreaterThan(16_384);
  });
});

/** Those of an entry of `floods` that holds two. */
function splitFrames(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = frameHeaderBytes + bytes.readUIntBE(at, 3);
    frames.push(bytes.subarray(at, at + length));
    at += length;
  }
  return frames;
}
