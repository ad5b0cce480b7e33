/** Why a port of the client could not be reached, or was cut: told apart by its code, as errors of the system are. */
export const forwardErrorCodes = [
  'service_refused',
  'service_timeout',
  'service_reset',
  'bad_answer',
  'link_closed',
] as const;
type ForwardErrorCode = (typeof forwardErrorCodes)[number];

/** `reason` is one printable line. */
export class ForwardError extends Error {
  override readonly name = 'ForwardError';
  readonly code: ForwardErrorCode;
  readonly reason: string;

  constructor(code: ForwardErrorCode, reason: string) {
    super(`${code}: ${reason}`);
    this.code = code;
    this.reason = reason;
  }
}
