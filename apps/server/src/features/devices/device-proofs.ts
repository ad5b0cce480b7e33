import { type EnrolRequest, type LinkClaim, parseAuthorization, verifyEnrolment } from '@pult/link';
import { DomainError } from '../../platform/errors.ts';
import type { Challenges } from './challenges.ts';

/** What a device signs its requests with. */
export interface DeviceProof {
  /** The Authorization header. */
  authorization: string | undefined;
  /** The address of the server that the agent was given. */
  serverUrl: string | undefined;
}

/** What a device must have signed, for which of our addresses. */
export function createDeviceProofs(
  challenges: Pick<Challenges, 'isOpen' | 'consume'>,
  serverUrls: readonly string[],
  /** False where another node has seen the nonce; undefined where there is none. */
  takeNonce: ((nonce: string) => Promise<boolean>) | undefined,
) {
  /** The parts of a proof whose nonce is ours, fresh and unused; with `isReturn` that is for the enrolment to say. */
  function readProof(proof: DeviceProof, isReturn = false) {
    const authorization = parseAuthorization(proof.authorization);
    if (!authorization) throw new DomainError('device_signature_invalid', 'header_malformed');
    if (!isReturn && !challenges.isOpen(authorization.serialNumber, authorization.nonce))
      throw new DomainError('device_signature_invalid', 'nonce_unknown');
    return { ...authorization, audience: proof.serverUrl ?? '' };
  }

  /** Uses the nonce of a proof up, whose signature was found right or not. */
  async function acceptProof({ serialNumber, nonce, audience }: LinkClaim, isSigned: boolean): Promise<void> {
    if (!isSigned) throw new DomainError('device_signature_invalid', 'signature_wrong');
    if (!challenges.consume(serialNumber, nonce) || !((await takeNonce?.(nonce)) ?? true))
      throw new DomainError('device_signature_invalid', 'nonce_used');
    requireAddress(audience);
  }

  /** Only said to a device that has proven its key: a stranger learns no addresses. */
  function requireAddress(audience: string): void {
    if (serverUrls.includes(audience)) return;
    throw new DomainError('link_url_mismatch', { given: audience, expected: serverUrls.join(', ') });
  }

  /** Throws unless the device that enrols has signed exactly this body, with a nonce that is now used up. */
  async function acceptEnrolment(
    request: EnrolRequest,
    rawBody: string,
    proof: DeviceProof,
  ): Promise<Buffer> {
    const claim = readProof(proof);
    const publicKey = Buffer.from(request.publicKey, 'base64url');
    const isSigned = verifyEnrolment(publicKey, { ...claim, body: rawBody }, claim.signature);
    await acceptProof(claim, isSigned && claim.serialNumber === request.serialNumber);
    return publicKey;
  }

  return { readProof, acceptProof, acceptEnrolment, requireAddress };
}
