import { setDefaultAutoSelectFamily } from 'node:net';

// Node 18.19 has it, its types do not.
declare module 'node:net' {
  function setDefaultAutoSelectFamily(isOn: boolean): void;
}

/** Node 18 dials the first address of a name alone, which is none where IPv6 leads nowhere; later ones dial the others too. */
export function tryEveryAddress(): void {
  setDefaultAutoSelectFamily(true);
}
