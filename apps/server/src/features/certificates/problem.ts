/** Why a certificate was not got, for the person who runs the server: what is so, and what to do. */
export class CertificateProblem extends Error {
  override readonly name = 'CertificateProblem';
  readonly advice: string;
  /** Before that the authority wants to hear nothing more. */
  readonly retryAt: Date | undefined;

  constructor(
    message: string,
    advice: string,
    { cause, retryAt }: { cause?: unknown; retryAt?: Date | undefined } = {},
  ) {
    super(message, { cause });
    this.advice = advice;
    this.retryAt = retryAt;
  }
}

/** Whatever others have said, as one line of bounded length that steers no terminal. */
export function quote(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 300);
}
