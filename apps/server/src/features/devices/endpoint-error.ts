/** Why an endpoint could not be opened, or was cut. */
export const endpointErrorCodes = [
  /** A device that does not know the request. */
  'service_unknown',
  'service_not_allowed',
  /** A device that has to offer each endpoint itself, and does not offer this one. */
  'service_not_forwarded',
  'service_refused',
  /** Its TLS is older than any that is spoken here, or there is none. */
  'service_tls_old',
  'service_tls_failed',
  'service_timeout',
  'service_reset',
  'bad_answer',
  'link_closed',
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

/** By its code, as with errors of the system: each kind of connection has its own class. */
export function isEndpointError(error: unknown): error is EndpointError {
  return error instanceof Error && 'code' in error && codes.has(error.code);
}
