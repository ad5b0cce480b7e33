/** What the command line ends with: scripts tell a typing error from a refusal by it. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  notLoggedIn: 3,
  forbidden: 4,
  notFound: 5,
  unreachable: 6,
} as const;
export type Failure = keyof typeof exitCodes;

/** An end that is told in one line, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly failure: Failure;

  constructor(failure: Failure, message: string) {
    super(message);
    this.failure = failure;
  }
}
