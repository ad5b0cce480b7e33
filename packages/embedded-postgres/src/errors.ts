/** The embedded PostgreSQL cannot be used; the message tells the administrator why and what to do, in plain words. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
}
