/** Ends the command with this message and no stack: something the user can put right. */
export class PlainError extends Error {
  override readonly name = 'PlainError';
}
