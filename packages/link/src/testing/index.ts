/** What tests and benches send in the place of an honest device. */

export {
  type FrameHandler,
  FrameParser,
  formatHeader,
  formatOffset,
  formatResume,
  frameFlags,
  frameTypes,
} from '../session/frames.ts';
export { packFrame } from '../telemetry/frame.ts';
export { type Random, randomBytes, randomFrame } from './hostile-frames.ts';
export { acceptFrame, archive, dataFrame, readRequests, resetFrame } from './raw-device.ts';
export { createRandom } from './wire.ts';
