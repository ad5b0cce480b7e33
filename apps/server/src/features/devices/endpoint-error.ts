import { forwardErrorCodes } from '@pult/frp';

/** Why an endpoint could not be opened, or was cut. */
export const endpointErrorCodes = [
  /** Errors of frp are told by their codes, as each kind of connection has its own class of errors. */
  ...forwardErrorCodes,
  /** A device that does not know the request. */
  'service_unknown',
  'service_not_allowed',
  /** A device that has to offer each endpoint itself, and does not offer this one. */
  'service_not_forwarded',
  /** Its TLS is older than any that is spoken here, or there is none. */
  'service_tls_old',
  'service_tls_failed',
] as const;
export type EndpointErrorCode = (typeof endpointErrorCodes)[number];

/** `reason` is one printable line, from the device or its connection. */
export class EndpointError extends Error {
  readonly code: EndpointErrorCode;
  readonly reason: string | undefined;

  constructor(code: EndpointErrorCode, reason?: string) {
    super(reason ? `${code}: ${reason}` : code);
    this.name = 'EndpointError';
    this.code = code;
    this.reason = reason;
  }
}

const codes: ReadonlySet<unknown> = new Set(endpointErrorCodes);

/** By its code, as with errors of the system. */
export function isEndpointError(error: unknown): error is EndpointError {
  return error instanceof Error && 'code' in error && codes.has(error.code);
}
