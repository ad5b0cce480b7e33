import { DomainError } from '../../../platform/errors.ts';
import { isEndpointError } from '../../devices/index.ts';
import { type JumpRefusalCode, jumpRefusals } from './jump-texts.ts';

/** Reasons of RFC 4254, section 5.1; OpenSSH shows their names before the text. */
const administrativelyProhibited = 1;
const connectFailed = 2;
const resourceShortage = 4;

const reasons: Partial<Record<JumpRefusalCode, number>> = {
  controller_offline: connectFailed,
  node_unreachable: connectFailed,
  service_refused: connectFailed,
  link_lost: connectFailed,
  unavailable: connectFailed,
  too_many: resourceShortage,
};

/** A channel that is not opened, and why. */
export class JumpRefusal extends Error {
  override readonly name = 'JumpRefusal';
  readonly code: JumpRefusalCode;
  /** Of a device that could not connect its SSH server: its own words. */
  readonly detail: string | undefined;

  constructor(code: JumpRefusalCode, detail?: string) {
    super(code);
    this.code = code;
    this.detail = detail;
  }

  get reason(): number {
    return reasons[this.code] ?? administrativelyProhibited;
  }

  format(values: Readonly<Record<string, string>>): string {
    const text = jumpRefusals[this.code].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
    const whole = this.detail ? `${text}: ${this.detail}` : text;
    return whole.replace(/[^\x20-\x7e]+/g, '?');
  }
}

function isCode(code: string): code is JumpRefusalCode {
  return Object.hasOwn(jumpRefusals, code);
}

/** What somebody is told of an error on the way to a controller; undefined for one that only a log may tell. */
export function toRefusal(error: unknown): JumpRefusal | undefined {
  if (error instanceof JumpRefusal) return error;
  if (error instanceof DomainError && error.code === 'tunnels_limit_reached')
    return new JumpRefusal('too_many');
  if (error instanceof DomainError && isCode(error.code)) return new JumpRefusal(error.code);
  if (!isEndpointError(error)) return undefined;
  const isLost = error.code === 'link_closed' || error.code === 'service_reset';
  return isLost ? new JumpRefusal('link_lost') : new JumpRefusal('service_refused', error.reason);
}
