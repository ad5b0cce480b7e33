import type { Text } from '@pult/contract';

/** Why a certificate was not got, for the person who runs the server: what is so, and what to do. Its message is for the log. */
export class CertificateProblem extends Error {
  override readonly name = 'CertificateProblem';
  readonly text: Text;
  readonly advice: Text;
  /** Before that the authority wants to hear nothing more. */
  readonly retryAt: Date | undefined;

  constructor(
    text: Text,
    advice: Text,
    { cause, retryAt }: { cause?: unknown; retryAt?: Date | undefined } = {},
  ) {
    super(text.en, { cause });
    this.text = text;
    this.advice = advice;
    this.retryAt = retryAt;
  }
}
