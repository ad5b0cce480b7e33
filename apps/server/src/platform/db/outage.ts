/** PostgreSQL's and the socket's ways to say that the database is not there now (SQLSTATE classes 08, 53, 57P). */
export function isDatabaseOutage(error: Error & { code?: unknown }): boolean {
  if (/connection terminated|timeout exceeded when trying to connect/i.test(error.message)) return true;
  return (
    typeof error.code === 'string' && /^(08|53|57P|ECONNREFUSED$|ECONNRESET$|ENOENT$|EPIPE$)/.test(error.code)
  );
}
