import IconTerminal from '@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs';
import type { ConsoleTunnelKind } from './tunnel-kind.ts';

export const ssh: ConsoleTunnelKind<'ssh'> = {
  name: 'ssh',
  Icon: IconTerminal,
  ButtonIcon: IconTerminal,
  opensTab: false,
  modifier: 'alt',
};
