import { DomainError } from '../../platform/errors.ts';
import type { Enrolment } from './enrolments.repository.ts';

/** Who shows a key. */
export interface KeyHolder {
  serialNumber: string;
  /** The client's. */
  address: string;
}

/** Keys of organizations, by which devices claim themselves; each call throws a `DomainError` where a key does not count. */
export interface KeyClaims {
  requireUsable(key: string, holder: KeyHolder): Promise<void>;
  /** Claims an enrolment that nobody has claimed. */
  claim(enrolment: Enrolment, key: string, address: string): Promise<void>;
}

/** What such a call throws where the key does not count; undefined where it does. */
export async function findRefusal(call: Promise<void>): Promise<DomainError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
