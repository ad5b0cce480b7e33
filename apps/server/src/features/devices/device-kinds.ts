import type { DeviceKind } from './device-kind.ts';
import { createNativeLink, type NativeLinkOptions } from './native-link/index.ts';
import { createSshKind, type SshKindOptions } from './ssh/index.ts';

/** Every kind of device connection; the rest of the server knows none of them by name. */
export function listDeviceKinds(options: {
  link?: NativeLinkOptions | undefined;
  ssh?: SshKindOptions | undefined;
}): readonly DeviceKind[] {
  return [createNativeLink(options.link), createSshKind(options.ssh)];
}
