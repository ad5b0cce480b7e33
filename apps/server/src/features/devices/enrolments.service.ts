import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type EnrolRequest, parseAuthorization, verifyLink } from '@pult/link';
import type { Core } from '../../platform/core.ts';
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
import { createDeviceProofs, type DeviceProof } from './device-proofs.ts';
import type { EnrolmentQuota } from './enrolment-quota.ts';
import type {
  Enrolment,
  EnrolmentState,
  EnrolmentsRepository,
  NewEnrolment,
  Reported,
} from './enrolments.repository.ts';
import { findRefusal, type KeyClaims } from './key-claims.ts';
import { createLoginToken } from './login-token.ts';
import { createReturnToken, isReturnToken, isReturnTokenOf } from './return-token.ts';

/** An enrolment, as the server needs it beside the body. */
interface EnrolmentRequest extends DeviceProof {
  /** ENROLLMENT_KEY, or the key of an organization. */
  enrollmentKey: string | undefined;
  address: string;
}

/** A device that has proven its key by the means of its kind: a handshake of TLS or SSH. */
export interface ProvenDevice
  extends Pick<
    NewEnrolment,
    'serialNumber' | 'publicKey' | 'connectionKind' | 'model' | 'firmwareVersion' | 'agentVersion'
  > {
  /** The client's. */
  address: string;
}

/** A device that was let in. */
export interface Admitted {
  enrolment: Enrolment;
  /** Of its link: it is newer than any link of a lower one, on whatever node. */
  generation: number;
  /** What it may sign for its next link; undefined where another link of it came in at the same moment. */
  returnToken: string | undefined;
}

/** A device that has enrolled. */
interface Enrolled {
  enrolment: Enrolment;
  /** Why the key that it gave has not claimed it. */
  keyRefusal?: DomainError | undefined;
}

interface Dependencies {
  repository: EnrolmentsRepository;
  quota: EnrolmentQuota;
  challenges: Challenges;
  activationKey: Buffer;
  /** Addresses an agent may have been given. */
  serverUrls: readonly string[];
  enrollmentKey: string | undefined;
  getKeyClaims: () => KeyClaims;
  /** False for each nonce that another node has seen; undefined where there is none. */
  takeNonces?: ((nonces: readonly string[]) => Promise<boolean[]>) | undefined;
  admission?: AdmissionOptions | undefined;
}

const forgottenAfter = 30 * 24 * 3600 * 1000;
/** That a device is seen is written down once a day: one that was not for two days has gone elsewhere. */
const rivalAfter = 2 * 24 * 3600 * 1000;

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

export function createEnrolmentsService(
  { clock, publicUrl }: Pick<Core, 'clock' | 'publicUrl'>,
  dependencies: Dependencies,
) {
  const { repository, quota, challenges, activationKey, serverUrls, getKeyClaims } = dependencies;
  const admission = createAdmissionControl(dependencies.admission);
  const find = admission.batch(repository.listByKeyIds);
  const getClaim = admission.batch(repository.listClaims);
  const getClaimed = admission.batch(repository.listClaimed);
  const letIn = admission.batch(repository.raiseGenerations);
  const { readProof, acceptProof, acceptEnrolment, requireAddress } = createDeviceProofs(
    challenges,
    serverUrls,
    dependencies.takeNonces && admission.batch(dependencies.takeNonces),
  );

  function remember({ address, ...proven }: ProvenDevice): Promise<Enrolment> {
    const own = { id: createId(), handle: randomBytes(5), network: toSite(address), now: clock.now() };
    const device = { ...proven, ...own };
    return admission.run(
      async () => (await repository.renewEnrolment(device)) ?? (await quota.addEnrolment(device)),
    );
  }

  function isEnrollmentKey(given: string | undefined): boolean {
    const { enrollmentKey } = dependencies;
    return enrollmentKey === undefined || isSameSecret(given ?? '', enrollmentKey);
  }

  /** Where ENROLLMENT_KEY is set: throws for a stranger. Whom an organization gave a key or whom one has claimed is none. */
  async function requireWelcome(
    device: Pick<ProvenDevice, 'serialNumber' | 'publicKey' | 'address'>,
    key: string,
  ) {
    const keyId = createHash('sha256').update(device.publicKey).digest();
    const known = await find({ serialNumber: device.serialNumber, keyId });
    if (known && (await repository.isClaimed(known.id))) return;
    const refusal = await findRefusal(getKeyClaims().requireUsable(key, device));
    if (!refusal) return;
    throw refusal.code === 'enrolment_key_unknown' ? new DomainError('enrolment_key_invalid') : refusal;
  }

  async function enrol(request: EnrolRequest, rawBody: string, proof: EnrolmentRequest): Promise<Enrolled> {
    const { enrollmentKey: key, address } = proof;
    const publicKey = await acceptEnrolment(request, rawBody, proof);
    if (!isEnrollmentKey(key)) await requireWelcome({ ...request, publicKey, address }, key ?? '');
    const enrolment = await remember({ ...request, publicKey, connectionKind: 'agent', address });
    const isOfServer = dependencies.enrollmentKey !== undefined && isEnrollmentKey(key);
    if (!key || isOfServer || (await repository.isClaimed(enrolment.id))) return { enrolment };
    const keyRefusal = await findRefusal(admission.run(() => getKeyClaims().claim(enrolment, key, address)));
    return { enrolment, keyRefusal };
  }

  function requireRoom(): void {
    if (!admission.isFull()) return;
    throw new DomainError('service_unavailable', 'devices_waiting', { seconds: admission.issueRetryAfter() });
  }

  async function findByKey(serialNumber: string, keyId: string | undefined): Promise<Enrolment> {
    const enrolment = await find({ serialNumber, keyId: Buffer.from(keyId ?? '', 'base64url') });
    if (!enrolment) throw new DomainError('device_unknown');
    return enrolment;
  }

  /** Lets a device in that answered a challenge. */
  async function letInAfterChallenge(enrolment: Enrolment): Promise<Admitted> {
    const { token, hash } = createReturnToken();
    const generation = await letIn({ id: enrolment.id, generation: undefined, tokenHash: hash });
    return generation === undefined
      ? { enrolment, generation: enrolment.link_generation, returnToken: undefined }
      : { enrolment, generation, returnToken: token };
  }

  const service = {
    /** Where devices wait for what they need of the database. */
    admission,

    /** The page that claims this device, with its token. */
    createActivationLink(enrolment: Enrolment): string {
      const token = createActivationToken(activationKey, toSubject(enrolment), clock.now());
      return `${publicUrl}/controllers?token=${token}`;
    },

    /** Remembers a device by its serial number and key; `rawBody` is the body exactly as signed. */
    async enrol(request: EnrolRequest, rawBody: string, proof: EnrolmentRequest) {
      const { enrolment, keyRefusal } = await enrol(request, rawBody, proof);
      const activated = await repository.isClaimed(enrolment.id);
      return {
        activated,
        activationLink: activated ? null : service.createActivationLink(enrolment),
        keyRefusal,
      };
    },

    /** The same for a device whose very request for a link enrols it: it is let in as well. */
    async enrolForLink(
      request: EnrolRequest,
      rawBody: string,
      proof: EnrolmentRequest,
    ): Promise<Admitted & Enrolled> {
      requireRoom();
      const enrolled = await enrol(request, rawBody, proof);
      return { ...enrolled, ...(await letInAfterChallenge(enrolled.enrolment)) };
    },

    /** Whether it is ENROLLMENT_KEY; anything is, and nothing, where none is set. */
    isEnrollmentKey,

    /** The enrolment of a device that has proven its key to its kind; undefined for one that is to enrol. */
    async findProven({
      serialNumber,
      publicKey,
    }: Pick<ProvenDevice, 'serialNumber' | 'publicKey'>): Promise<Enrolment | undefined> {
      requireRoom();
      return find({ serialNumber, keyId: createHash('sha256').update(publicKey).digest() });
    },

    /** Remembers such a device. That its client may enrol so many, and knows ENROLLMENT_KEY, its kind has seen to. */
    async enrolProven(device: ProvenDevice): Promise<Enrolment> {
      requireRoom();
      return remember(device);
    },

    /** Lets such a device in, for one connection; what it signed for another one is good no more. */
    admitProven: (enrolment: Enrolment): Promise<Admitted> => letInAfterChallenge(enrolment),

    /** What such a device says of itself: its controller shows it. */
    updateReported: ({ id }: Enrolment, reported: Reported): Promise<void> =>
      admission.run(() => repository.updateReported(id, reported, clock.now())),

    /** What such a device logs in with where it cannot sign: good until it is released. */
    createLoginToken: (enrolment: Enrolment): string => createLoginToken(activationKey, toSubject(enrolment)),

    /** The enrolment of the controller with this serial number; undefined where nobody has claimed one. */
    getClaimed: (serialNumber: string): Promise<Enrolment | undefined> => getClaimed(serialNumber),

    /** An enrolment as it is now, and its controller; undefined when there is none any more. */
    getClaim: (enrolmentId: string): Promise<EnrolmentState | undefined> => getClaim(enrolmentId),

    /** Whether a request for a link comes with a return token, be it good or not: nobody has asked for room for it. */
    isReturn(proof: DeviceProof): boolean {
      return isReturnToken(parseAuthorization(proof.authorization)?.nonce ?? '');
    },

    /** Lets a device in that asks for a link; throws when it cannot prove to be an enrolled one. */
    async admit(proof: DeviceProof & { keyId: string | undefined }): Promise<Admitted> {
      const isReturn = service.isReturn(proof);
      const claim = readProof(proof, isReturn);
      requireRoom();
      const enrolment = await findByKey(claim.serialNumber, proof.keyId);
      const isSigned = verifyLink(enrolment.public_key, claim, claim.signature);
      if (!isReturn) {
        await acceptProof(claim, isSigned);
        return letInAfterChallenge(enrolment);
      }
      if (!isSigned) throw new DomainError('device_signature_invalid', 'signature_wrong');
      if (!isReturnTokenOf(enrolment.return_token_hash, claim.nonce))
        throw new DomainError('device_signature_invalid', 'return_token_wrong');
      requireAddress(claim.audience);
      const { token, hash } = createReturnToken();
      const before = enrolment.link_generation;
      const generation = await letIn({ id: enrolment.id, generation: before, tokenHash: hash });
      if (generation === undefined) throw new DomainError('device_signature_invalid', 'return_token_used');
      return { enrolment, generation, returnToken: token };
    },

    /** The unclaimed enrolment that a token stands for; throws `activation_token_invalid` for a wrong, old or used one. */
    async requireByActivationToken(token: string): Promise<Enrolment> {
      const parsed = parseActivationToken(token);
      if (!parsed) throw new DomainError('activation_token_invalid', 'malformed');
      const enrolment = await repository.getByHandle(parsed.handle);
      if (!enrolment) throw new DomainError('activation_token_invalid', 'unknown');
      if (!isActivationMac(activationKey, toSubject(enrolment), parsed.mac, clock.now()))
        throw new DomainError('activation_token_invalid', 'outdated');
      if (await repository.isClaimed(enrolment.id))
        throw new DomainError('activation_token_invalid', 'claimed');
      return enrolment;
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

    /** Whether another device that waits to be claimed has proven by its hardware that the serial number is its own. */
    hasProvenRival: (enrolment: Enrolment, transaction?: DatabaseTransaction): Promise<boolean> =>
      repository.hasProvenRival(enrolment, new Date(clock.now().getTime() - rivalAfter), transaction),

    /** Whether a device of this serial number was a controller once; the server forgets those that are not seen. */
    wasReleased: (transaction: DatabaseTransaction, serialNumber: string): Promise<boolean> =>
      repository.hasReleased(transaction, serialNumber),

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
