import type { Config } from '../../config/config.ts';
import type { DeviceKind } from './device-kind.ts';
import { createNativeLink, type NativeLinkOptions } from './native-link/index.ts';
import { createSshKind, type SshKindOptions } from './ssh/index.ts';
import { createWirenBoard } from './wiren-board/index.ts';

interface KindOptions {
  link?: NativeLinkOptions | undefined;
  ssh?: SshKindOptions | undefined;
  agents: Pick<Config['agents'], 'wirenBoard'>;
}

/** Every kind of device connection that is wanted here; the rest of the server knows none of them by name. */
export function listDeviceKinds({ link, ssh, agents }: KindOptions): readonly DeviceKind[] {
  const { wirenBoard } = agents;
  return [createNativeLink(link), createSshKind(ssh), ...(wirenBoard ? [createWirenBoard(wirenBoard)] : [])];
}
