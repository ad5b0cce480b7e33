import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { lifetimes } from '@pult/contract';
import type { Core } from '../../../platform/core.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import type { PasskeysRepository } from './passkeys.repository.ts';

const [nonceLength, timeLength, tagLength] = [16, 6, 32];

/**
 * Challenges that nothing is stored of until they are used: nonce, end and an HMAC over both and what they are for. Any server of
 * the installation knows them, and each is good once for all of them.
 */
export function createPasskeyChallenges(
  { clock, secrets }: Core,
  { use }: { use: PasskeysRepository['useChallenge'] },
) {
  const sign = (purpose: string, body: Buffer) =>
    createHmac('sha256', secrets.encryptionKey).update(`passkey ${purpose}\n`).update(body).digest();

  function read(purpose: string, challenge: string): { nonce: Buffer; expiresAt: Date } | undefined {
    const bytes = Buffer.from(challenge, 'base64url');
    if (bytes.length !== nonceLength + timeLength + tagLength) return undefined;
    const body = bytes.subarray(0, nonceLength + timeLength);
    if (!timingSafeEqual(bytes.subarray(body.length), sign(purpose, body))) return undefined;
    const expiresAt = new Date(body.readUIntBE(nonceLength, timeLength));
    return expiresAt > clock.now() ? { nonce: body.subarray(0, nonceLength), expiresAt } : undefined;
  }

  return {
    /** `purpose`: what it is for, and whose where it is somebody's. */
    create(purpose: string): Buffer {
      const body = Buffer.alloc(nonceLength + timeLength);
      randomBytes(nonceLength).copy(body);
      body.writeUIntBE(clock.now().getTime() + lifetimes.passkeyChallenge * 1000, nonceLength, timeLength);
      return Buffer.concat([body, sign(purpose, body)]);
    },

    isOpen: (purpose: string, challenge: string): boolean => read(purpose, challenge) !== undefined,

    /** True for one caller only. */
    async consume(transaction: DatabaseTransaction, purpose: string, challenge: string): Promise<boolean> {
      const open = read(purpose, challenge);
      return open !== undefined && use(transaction, open);
    },
  };
}
export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>;
