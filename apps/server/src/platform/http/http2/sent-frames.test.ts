import { describe, expect, it } from 'vitest';
import { frameTypes } from './frames.ts';
import { formatFrame, formatNumber, requestFrame } from './hostile-frames.fixture.ts';
import { SentFrames } from './sent-frames.ts';

const goodbye = (code: number) =>
  formatFrame(
    frameTypes.goaway,
    0,
    0,
    Buffer.concat([formatNumber(9), formatNumber(code), Buffer.from('why')]),
  );
const others = [
  requestFrame(1, '/'),
  formatFrame(frameTypes.data, 0, 1, goodbye(1)),
  formatFrame(frameTypes.settings, 1, 0),
];

describe('frames that were sent', () => {
  it.each([1, 2, 7, 10, 1_000])(
    'show a goodbye for a fault, and none where there is none, in pieces of %i bytes',
    (size) => {
      for (const code of [0, 5]) {
        const sent = new SentFrames();
        const bytes = Buffer.concat([...others, goodbye(code), ...others]);
        for (let at = 0; at < bytes.length; at += size) sent.read(bytes.subarray(at, at + size));
        expect(sent.hasFailed).toBe(code !== 0);
      }
    },
  );
});
