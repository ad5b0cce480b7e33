/**
 * PostgreSQL's and the socket's ways to say that the database is not there now (SQLSTATE classes 08, 53, 57P), or that this
 * process has no descriptor for a connection to it.
 */
export function isDatabaseOutage(error: Error & { code?: unknown }): boolean {
  if (/connection terminated|timeout exceeded when trying to connect/i.test(error.message)) return true;
  return (
    typeof error.code === 'string' &&
    /^(08|53|57P|ECONNREFUSED$|ECONNRESET$|ENOENT$|EPIPE$|EMFILE$|ENFILE$)/.test(error.code)
  );
}
