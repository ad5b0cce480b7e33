import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs';
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs';
import type { ConsoleTunnelKind } from './tunnel-kind.ts';

export const http: ConsoleTunnelKind<'http'> = {
  name: 'http',
  Icon: IconWorld,
  ButtonIcon: IconExternalLink,
  opensTab: true,
  modifier: 'control',
};
