import { parseArgs } from 'node:util';
import { lines } from './lines.ts';

const parts = ['load', 'mix', 'page', 'start', 'idle', 'cut'] as const;
const peers = ['direct', 'Pult'];

export interface LineOptions {
  lines: string[];
  parts: (typeof parts)[number][];
  peers: string[];
  /** Of each measurement beside a load. */
  seconds: number;
  /** How long the line is cut. */
  cut: number;
  idle: number;
  /** The device's connections are in TLS. */
  tls: boolean;
  /** Lines measured at the same time. */
  atOnce: number;
}

/** Those of `known` that a list names, all of them without one. */
function choose<T extends string>(known: readonly T[], list: string | undefined): T[] {
  if (list === undefined) return [...known];
  const names = list.split(',').map((name) => name.trim());
  for (const name of names)
    if (!known.some((one) => one === name)) throw new Error(`"${name}" is none of ${known.join(', ')}`);
  return known.filter((one) => names.includes(one));
}

export function readLineOptions(args: readonly string[]): LineOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      lines: { type: 'string' },
      parts: { type: 'string' },
      peers: { type: 'string' },
      seconds: { type: 'string', default: '20' },
      cut: { type: 'string', default: '60' },
      idle: { type: 'string', default: '120' },
      tls: { type: 'boolean', default: false },
      'at-once': { type: 'string', default: '1' },
    },
  });
  return {
    lines: choose(Object.keys(lines), values.lines),
    parts: choose(parts, values.parts),
    peers: choose(peers, values.peers),
    seconds: Number(values.seconds),
    cut: Number(values.cut),
    idle: Number(values.idle),
    tls: values.tls,
    atOnce: Number(values['at-once']),
  };
}
