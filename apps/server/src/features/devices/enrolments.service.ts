import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type EnrolRequest,
  type EnrolResponse,
  type LinkClaim,
  parseAuthorization,
  verifyEnrolment,
  verifyLink,
} from '@pult/link';
import type { Clock } from '../../platform/clock.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import { createId } from '../../platform/ids.ts';
import { toSite } from '../../platform/network.ts';
import {
  createActivationToken,
  isActivationMac,
  parseActivationToken,
  type TokenSubject,
} from './activation-token.ts';
import { type AdmissionOptions, createAdmissionControl } from './admission-control.ts';
import type { Challenges } from './challenges.ts';
import type { EnrolmentQuota } from './enrolment-quota.ts';
import type { Enrolment, EnrolmentClaim, EnrolmentsRepository } from './enrolments.repository.ts';

/** What a device signs its requests with. */
export interface DeviceProof {
  /** The Authorization header. */
  authorization: string | undefined;
  /** The address of the server that the agent was given. */
  serverUrl: string | undefined;
}

interface Dependencies {
  repository: EnrolmentsRepository;
  quota: EnrolmentQuota;
  challenges: Challenges;
  activationKey: Buffer;
  clock: Clock;
  publicUrl: string;
  /** Addresses an agent may have been given. */
  serverUrls: readonly string[];
  enrollmentKey: string | undefined;
  admission?: AdmissionOptions | undefined;
}

const forgottenAfter = 30 * 24 * 3600 * 1000;

function toSubject(enrolment: Enrolment): TokenSubject {
  return {
    handle: enrolment.handle,
    serialNumber: enrolment.serial_number,
    publicKey: enrolment.public_key,
    epoch: enrolment.token_epoch,
  };
}

/** Compares by hash, so that neither the content nor the length shows in the time. */
function isSameSecret(given: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

export function createEnrolmentsService(dependencies: Dependencies) {
  const { repository, quota, challenges, activationKey, clock, serverUrls } = dependencies;
  const admission = createAdmissionControl(dependencies.admission);
  const find = admission.batch(repository.listByKeyIds);
  const getClaim = admission.batch(repository.listClaims);

  /** The parts of a proof whose nonce is ours, fresh and unused. */
  function readProof(proof: DeviceProof) {
    const authorization = parseAuthorization(proof.authorization);
    if (!authorization || !challenges.isOpen(authorization.serialNumber, authorization.nonce)) {
      throw new DomainError('device_signature_invalid');
    }
    return { ...authorization, audience: proof.serverUrl ?? '' };
  }

  /** Uses the nonce of a proof up, whose signature was found right or not. */
  function acceptProof({ serialNumber, nonce, audience }: LinkClaim, isSigned: boolean): void {
    if (!isSigned || !challenges.consume(serialNumber, nonce)) {
      throw new DomainError('device_signature_invalid');
    }
    // Only said to a device that has proven its key: a stranger learns no addresses.
    if (serverUrls.includes(audience)) return;
    throw new DomainError('link_url_mismatch', { given: audience, expected: serverUrls.join(', ') });
  }

  async function remember(request: EnrolRequest, publicKey: Buffer, network: string): Promise<EnrolResponse> {
    const now = clock.now();
    const device = { ...request, id: createId(), handle: randomBytes(5), publicKey, network, now };
    const enrolment = (await repository.renewEnrolment(device)) ?? (await quota.addEnrolment(device));
    const isNew = enrolment.id === device.id;
    const activated = !isNew && (await repository.isClaimed(enrolment.id));
    return { activated, activationLink: activated ? null : service.createActivationLink(enrolment) };
  }

  const service = {
    /** Where devices wait for what they need of the database. */
    admission,

    /** The page that claims this device, with its token. */
    createActivationLink(enrolment: Enrolment): string {
      const token = createActivationToken(activationKey, toSubject(enrolment), clock.now());
      return `${dependencies.publicUrl}/controllers?token=${token}`;
    },

    /** Remembers a device by its serial number and key; `rawBody` is the body exactly as signed. */
    async enrol(
      request: EnrolRequest,
      rawBody: string,
      proof: DeviceProof & { enrollmentKey: string | undefined; address: string },
    ): Promise<EnrolResponse> {
      const { enrollmentKey } = dependencies;
      if (enrollmentKey !== undefined && !isSameSecret(proof.enrollmentKey ?? '', enrollmentKey)) {
        throw new DomainError('enrolment_key_invalid');
      }
      const claim = readProof(proof);
      const publicKey = Buffer.from(request.publicKey, 'base64url');
      const isSigned = verifyEnrolment(publicKey, { ...claim, body: rawBody }, claim.signature);
      acceptProof(claim, isSigned && claim.serialNumber === request.serialNumber);
      return admission.run(() => remember(request, publicKey, toSite(proof.address)));
    },

    /** An enrolment as it is now, and its controller; undefined when there is none any more. */
    getClaim: (enrolmentId: string): Promise<EnrolmentClaim | undefined> => getClaim(enrolmentId),

    /** The enrolment of a device that asks for a link; throws when it cannot prove to be one. */
    async admit(proof: DeviceProof & { keyId: string | undefined }): Promise<Enrolment> {
      const claim = readProof(proof);
      const keyId = Buffer.from(proof.keyId ?? '', 'base64url');
      if (admission.isFull(true)) {
        throw new DomainError('service_unavailable', { seconds: admission.issueRetryAfter() });
      }
      const enrolment = await find({ serialNumber: claim.serialNumber, keyId });
      if (!enrolment) throw new DomainError('device_unknown');
      acceptProof(claim, verifyLink(enrolment.public_key, claim, claim.signature));
      return enrolment;
    },

    /** The unclaimed enrolment that a token stands for; undefined for a wrong, old or used one. */
    async getByActivationToken(token: string): Promise<Enrolment | undefined> {
      const parsed = parseActivationToken(token);
      const enrolment = parsed && (await repository.getByHandle(parsed.handle));
      if (!enrolment || !isActivationMac(activationKey, toSubject(enrolment), parsed.mac, clock.now())) {
        return undefined;
      }
      return (await repository.isClaimed(enrolment.id)) ? undefined : enrolment;
    },

    /**
     * Inside a claim: the enrolment, if the token that selected it has not been used meanwhile. Held with all
     * others of its serial number, of which one claim at a time can be done.
     */
    async takeForClaim(
      transaction: DatabaseTransaction,
      selected: Enrolment,
    ): Promise<Enrolment | undefined> {
      const held = await repository.lockSerialNumber(transaction, selected.serial_number);
      const enrolment = held.find(({ id }) => id === selected.id);
      if (!enrolment || enrolment.token_epoch !== selected.token_epoch) return undefined;
      return (await repository.isClaimed(enrolment.id, transaction)) ? undefined : enrolment;
    },

    /** Forgets every other device that presented itself with this serial number; their ids. */
    dropOthers: (transaction: DatabaseTransaction, { serial_number, id }: Enrolment) =>
      repository.deleteOthers(transaction, serial_number, id),

    /** After a controller was deleted: its device may be claimed anew, by a new token only. */
    release: (transaction: DatabaseTransaction, enrolmentId: string) =>
      repository.increaseTokenEpoch(transaction, enrolmentId),

    /** Run by a job every day. */
    async deleteForgotten(): Promise<void> {
      await repository.deleteUnclaimedUnseenSince(new Date(clock.now().getTime() - forgottenAfter));
      await quota.compact();
    },
  };
  return service;
}
export type EnrolmentsService = ReturnType<typeof createEnrolmentsService>;
