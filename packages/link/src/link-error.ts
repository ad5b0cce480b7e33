import type { LinkRefusal } from './messages.ts';

/**
 * Why a link ended. `transport`: the connection broke or was closed without a word. `protocol`: the
 * peer sent what no honest peer sends. `flood`: more of it than any honest peer sends. `memory`: it took
 * nothing of what is kept for it, and others had no room. `shutdown`: one end said goodbye.
 */
export const linkCloseReasons = [
  'replaced',
  'ping_timeout',
  'transport',
  'shutdown',
  'protocol',
  'flood',
  'memory',
  'revoked',
] as const;
export type LinkCloseReason = (typeof linkCloseReasons)[number];

export type ServiceErrorCode =
  /** An agent of a version that does not know the request. */
  | 'service_unknown'
  | 'service_not_allowed'
  | 'service_refused'
  /** Its TLS is older than any that the agent speaks. */
  | 'service_tls_old'
  /** It took the connection and has no TLS, or breaks it off without a word, as some do whose TLS is too old. */
  | 'service_tls_failed'
  | 'service_timeout'
  | 'service_reset'
  | 'bad_answer'
  | 'link_closed';

/** A service could not be opened or was cut. `reason` is one printable line, from the device or the link. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly reason: string | undefined;

  constructor(code: ServiceErrorCode, reason?: string) {
    super(reason ? `${code}: ${reason}` : code);
    this.code = code;
    this.reason = reason;
  }
}

interface RefusedAnswer {
  status: number;
  refusal: LinkRefusal | null;
  retryAfterMs?: number | undefined;
  isWhole?: boolean;
}

/** The answer to a link request was not 101. `refusal` is set when a Pult server said why. */
export class LinkRefusedError extends Error {
  override readonly name = 'LinkRefusedError';
  readonly status: number;
  readonly refusal: LinkRefusal | null;
  /** How long the server asks to wait; undefined when it does not say. */
  readonly retryAfterMs: number | undefined;
  /** Whether the answer was read to its end, so that its connection can be asked again. */
  readonly isWhole: boolean;

  constructor({ status, refusal, retryAfterMs, isWhole = false }: RefusedAnswer) {
    super(refusal?.detail ?? refusal?.code ?? `the server answered ${status} to the link request`);
    this.status = status;
    this.refusal = refusal;
    this.retryAfterMs = retryAfterMs;
    this.isWhole = isWhole;
  }
}

/** Nothing but printable characters of a device's own words, at most 200 of them. */
export function cleanReason(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200);
}
