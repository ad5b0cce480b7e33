/** Bytes that no encoder writes: whoever sent them is not believed any more. */
export class TelemetryFormatError extends Error {
  override readonly name = 'TelemetryFormatError';
}
