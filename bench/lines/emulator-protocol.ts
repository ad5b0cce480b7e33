/** By which the device reaches the server and the user beside it. */
export const cloudAddress = '10.91.2.1';
/** What the device calls itself. */
export const deviceAddress = '10.91.0.2';
/** By which the far side knows it; another one after each rebinding. */
export const publicNetwork = '10.91.1.0/24';
export const publicAddress = (binding: number) => `10.91.1.${binding}`;

/** Answers each command. */
export interface LineCounts {
  /** Bytes that arrived, heads of packets included. */
  up: number;
  down: number;
  /** Bytes that wait, both ways. */
  queued: number;
  lost: number;
  dropped: number;
  /** When the device began its first connection since the last mark (`Date.now()`). */
  firstSynAt?: number | undefined;
  /** By which the far side knows the device. */
  deviceHost: string;
}

export type LineCommand = 'count' | 'cut' | 'restore' | 'rebind' | 'mark';

/** A line as the measurements see it. */
export interface LineEmulator extends AsyncDisposable {
  /** Where the other side finds what listens on that port of `side`; another place after a rebinding. */
  reach(side: 'cloud' | 'device', port: number): Promise<{ host: string; port: number }>;
  /** The program as one of the device. */
  onDevice(command: string, args: readonly string[]): [string, string[]];
  tell(command: LineCommand): Promise<LineCounts>;
}
