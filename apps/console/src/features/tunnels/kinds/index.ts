import { type TunnelProtocol, tunnelProtocols } from '@pult/contract/values';
import { http } from './http.ts';
import { ssh } from './ssh.ts';
import type { ConsoleTunnelKind } from './tunnel-kind.ts';

const kinds: { readonly [Name in TunnelProtocol]: ConsoleTunnelKind<Name> } = { http, ssh };

/** One for each protocol of the contract's table, in its order: that of their buttons. */
export const tunnelKinds: readonly ConsoleTunnelKind[] = tunnelProtocols.map((name) => kinds[name]);
