import type { TunnelProtocol } from '@pult/contract';
import type { IconWorld } from '../../../shared/icons/IconWorld.ts';

/** What the console shows of one protocol of tunnels wherever one can be opened; its texts are in messages.ts. */
export interface ConsoleTunnelKind<Name extends TunnelProtocol = TunnelProtocol> {
  readonly name: Name;
  readonly Icon: typeof IconWorld;
  /** On its large button, on the controller's page. */
  readonly ButtonIcon: typeof IconWorld;
  /** Opens in a new tab of the browser: what it leads to is no page of the console. */
  readonly opensTab: boolean;
  /** The key that opens it together with Enter in the command palette. */
  readonly modifier?: 'control' | 'alt';
}
