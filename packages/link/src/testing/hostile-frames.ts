import { formatHeader, formatOffset, formatResume, formatText, frameTypes } from '../session/frames.ts';
import { block, deflatedBlock, makeText } from './blocks.ts';
import { acceptFrame, dataFrame, resetFrame } from './raw-device.ts';

/** Numbers below a limit. */
export type Random = (limit: number) => number;

/** Deflated or not, and as long as it says or not. */
function randomBlock(random: Random): Buffer {
  const body = makeText(1 + random(5_000));
  const bodyBytes = [body.length, body.length + 1, 1 + random(65_536)][random(3)] ?? 1;
  if (random(3) === 0)
    return block(body.subarray(0, random(body.length)), { sentBytes: body.length, bodyBytes });
  return deflatedBlock(body, bodyBytes);
}

/** Mostly lawful frames: what is refused at the first byte reaches nothing. */
export function randomFrame(random: Random): Buffer {
  const streamId = random(4);
  const offset = [0, 1, 12, 16_384, 2 ** 32, 2 ** 48 - 1][random(6)] ?? 0;
  switch (random(15)) {
    case 0:
      return acceptFrame(streamId, '{}', random(2) === 0);
    case 1:
      return dataFrame(streamId, Buffer.alloc(random(3_000)), random(8));
    case 2:
      return formatOffset(frameTypes.position, streamId, offset);
    case 3:
      return formatOffset(frameTypes.credit, streamId, offset);
    case 4:
      return formatOffset(frameTypes.acknowledgement, 0, random(400));
    case 5:
      return resetFrame(streamId);
    case 6:
      return formatHeader(frameTypes.ping, random(3), 0, random(5));
    case 7:
      return formatText(frameTypes.goodbye, ['shutdown 0', 'shutdown 5000', 'nonsense', ''][random(4)] ?? '');
    case 8:
      return formatResume(streamId, [{ streamId, received: offset, credit: offset }]);
    case 9:
      return randomBytes(random, random(40));
    case 10:
      return dataFrame(1, '200 deflate\n');
    case 11:
      return dataFrame(1, randomBlock(random));
    case 12:
      return dataFrame(1, Buffer.concat([block(Buffer.from('as it is')), randomBlock(random)]));
    default:
      return dataFrame(1 + random(2), '200\n');
  }
}

export function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random(256)));
}
