import { IconExternalLink } from '../../../shared/icons/IconExternalLink.ts';
import { IconWorld } from '../../../shared/icons/IconWorld.ts';
import type { ConsoleTunnelKind } from './tunnel-kind.ts';

export const http: ConsoleTunnelKind<'http'> = {
  name: 'http',
  Icon: IconWorld,
  ButtonIcon: IconExternalLink,
  opensTab: true,
  modifier: 'control',
};
