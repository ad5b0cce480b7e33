/** An upstream that has not answered in time. */
export class UpstreamTimeoutError extends Error {
  override readonly name = 'UpstreamTimeoutError';

  constructor() {
    super('no answer in time');
  }
}
