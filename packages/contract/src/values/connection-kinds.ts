import type { Text } from '../locale.ts';

interface ConnectionKindRow {
  label: Text;
  /** What it gives besides web interfaces and SSH; a page says in words what is not to be had. */
  gives: readonly ('values' | 'diagnostics' | 'info' | 'saver' | 'updates')[];
  /** Named endpoints are reached without a word to the device; otherwise each is to be set up there. */
  reachesAnyPort: boolean;
  /** Hardware proves its serial number; otherwise whoever says one has it. */
  provesSerial: boolean;
}

/** How devices come to the server: the kinds of `DeviceConnection`, as people and the console know them. */
export const connectionKindTable = {
  agent: {
    label: { ru: 'Агент', en: 'Agent' },
    gives: ['values', 'diagnostics', 'info', 'saver', 'updates'],
    reachesAnyPort: true,
    provesSerial: false,
  },
  'wiren-board': {
    label: { ru: 'Wiren Board', en: 'Wiren Board' },
    gives: ['values', 'diagnostics'],
    reachesAnyPort: true,
    provesSerial: true,
  },
  ssh: {
    label: { ru: 'SSH', en: 'SSH' },
    gives: [],
    reachesAnyPort: false,
    provesSerial: false,
  },
} as const satisfies Record<string, ConnectionKindRow>;

export type ConnectionKind = keyof typeof connectionKindTable;
export type ConnectionGift = ConnectionKindRow['gives'][number];

// The keys are the table's own.
export const connectionKinds = Object.keys(connectionKindTable) as [ConnectionKind, ...ConnectionKind[]];

/** Whether hardware proves the serial number of such a device. */
export const isProvenBy = (kind: ConnectionKind): boolean => connectionKindTable[kind].provesSerial;

/** Of devices whose hardware proves their serial numbers. */
export const provingKinds = connectionKinds.filter(isProvenBy);

/** Whether controllers that are connected in this way give it. */
export function isGivenBy(kind: ConnectionKind, what: ConnectionGift): boolean {
  const row: ConnectionKindRow = connectionKindTable[kind];
  return row.gives.includes(what);
}
