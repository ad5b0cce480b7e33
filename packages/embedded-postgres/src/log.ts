interface Write {
  (facts: object, message: string): void;
  (message: string): void;
}

/** What the package needs of a log; pino's has it. */
export interface Log {
  info: Write;
  warn: Write;
  error: Write;
}
