import { type PageProtocol, pageProtocols } from '@pult/contract/values';
import { IconExternalLink } from '../../../shared/icons/IconExternalLink.ts';
import { IconTerminal2 as IconTerminal } from '../../../shared/icons/IconTerminal2.ts';
import { IconWorld } from '../../../shared/icons/IconWorld.ts';

/** What the console shows of one protocol of tunnels wherever one can be opened; its texts are in messages.ts. */
interface TunnelKind {
  readonly Icon: typeof IconWorld;
  /** On its large button, on the controller's page. */
  readonly ButtonIcon: typeof IconWorld;
  /** Opens in a new tab of the browser: what it leads to is no page of the console. */
  readonly opensTab: boolean;
  /** The key that opens it together with Enter in the command palette. */
  readonly modifier?: 'control' | 'alt';
}

const kinds: Readonly<Record<PageProtocol, TunnelKind>> = {
  http: { Icon: IconWorld, ButtonIcon: IconExternalLink, opensTab: true, modifier: 'control' },
  ssh: { Icon: IconTerminal, ButtonIcon: IconTerminal, opensTab: false, modifier: 'alt' },
};

export interface ConsoleTunnelKind extends TunnelKind {
  readonly name: PageProtocol;
}

/** One for each protocol that has a page, in the order of the contract's table: that of their buttons. */
export const tunnelKinds: readonly ConsoleTunnelKind[] = pageProtocols.map((name) => ({
  name,
  ...kinds[name],
}));
