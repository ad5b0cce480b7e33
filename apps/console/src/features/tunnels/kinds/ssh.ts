import { IconTerminal2 as IconTerminal } from '../../../shared/icons/IconTerminal2.ts';
import type { ConsoleTunnelKind } from './tunnel-kind.ts';

export const ssh: ConsoleTunnelKind<'ssh'> = {
  name: 'ssh',
  Icon: IconTerminal,
  ButtonIcon: IconTerminal,
  opensTab: false,
  modifier: 'alt',
};
