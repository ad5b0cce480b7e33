import { createHash, randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** UUIDv7: sorts by the time it was made. */
export function createId(): string {
  return v7();
}

/** 256 bits, for whatever proves something by being known: sessions, tickets, tunnel cookies. */
export function createSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * What is stored of a secret token. A plain hash is enough for 256 random bits, and looking a hash up in an
 * index gives away nothing about the token by its timing.
 */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
