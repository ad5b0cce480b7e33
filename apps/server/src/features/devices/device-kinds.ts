import type { Config } from '../../config/config.ts';
import type { DeviceKind } from './device-kind.ts';
import { createNativeLink, type NativeLinkOptions } from './native-link/index.ts';
import { createSshDeviceKind, type SshKindOptions } from './ssh/index.ts';
import { createWirenBoard, type WirenBoardOptions } from './wiren-board/index.ts';
import type { WirenBoardStanding } from './wiren-board/standing.ts';

interface KindOptions {
  link?: NativeLinkOptions | undefined;
  ssh?: SshKindOptions | undefined;
  wirenBoard?: WirenBoardOptions | undefined;
  standing: WirenBoardStanding;
  agents: Pick<Config['agents'], 'wirenBoard'>;
}

/** Every kind of device connection that is wanted here; the rest of the server knows none of them by name. */
export function listDeviceKinds({
  link,
  ssh,
  wirenBoard,
  standing,
  agents,
}: KindOptions): readonly DeviceKind[] {
  const settings = agents.wirenBoard;
  return [
    createNativeLink(link),
    createSshDeviceKind(ssh),
    ...(settings ? [createWirenBoard(settings, standing, wirenBoard)] : []),
  ];
}
