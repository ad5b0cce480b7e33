import { type LinkCloseReason, linkCloseReasons } from '../link-error.ts';
import { formatText, frameTypes } from './frames.ts';

/** A goodbye of the peer; `graceMs` is the time over which a fleet should spread its return, 0 when it leaves at once. */
export interface Goodbye {
  reason: LinkCloseReason;
  graceMs: number;
}

export function formatGoodbye({ reason, graceMs }: Goodbye): Buffer {
  return formatText(frameTypes.goodbye, `${reason} ${graceMs}`);
}

export function parseGoodbye(text: string): Goodbye | null {
  const [, word, digits] = /^([a-z_]{1,20}) ([0-9]{1,7})$/.exec(text) ?? [];
  const reason = linkCloseReasons.find((known) => known === word);
  return reason ? { reason, graceMs: Number(digits) } : null;
}
