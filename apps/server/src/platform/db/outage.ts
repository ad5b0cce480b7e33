/**
 * PostgreSQL's and the socket's ways to say that the database is not there now (SQLSTATE classes 08, 53, 57P), that it is a standby by
 * now (25006), that its machine is not reached, or that this process has no descriptor for a connection to it.
 */
export function isDatabaseOutage(error: Error & { code?: unknown }): boolean {
  if (/connection terminated|timeout exceeded when trying to connect/i.test(error.message)) return true;
  return (
    typeof error.code === 'string' &&
    /^(08|53|57P|25006$|ECONNREFUSED$|ECONNRESET$|EHOSTUNREACH$|ENETUNREACH$|ETIMEDOUT$|ENOENT$|EPIPE$|EMFILE$|ENFILE$)/.test(
      error.code,
    )
  );
}

/** That another server is the primary now, or will be: this one takes no writes, or ends. */
export function isFailover(error: Error & { code?: unknown }): boolean {
  return typeof error.code === 'string' && /^(25006|57P0[1-3])$/.test(error.code);
}
