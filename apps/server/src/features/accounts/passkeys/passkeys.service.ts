import { type AddPasskeyRequest, limits, type Passkey, type PasskeyOptions } from '@pult/contract';
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server';
import type { Caller } from '../../../platform/access/index.ts';
import type { Core } from '../../../platform/core.ts';
import { DomainError, FieldError } from '../../../platform/errors.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import { createId } from '../../../platform/ids.ts';
import type { TotpRepository } from '../totp.repository.ts';
import type { PasskeyChallenges } from './passkey-challenges.ts';
import { proofPurpose } from './passkey-proofs.ts';
import type { PasskeysRepository } from './passkeys.repository.ts';
import type { RelyingParty } from './relying-party.ts';

interface Dependencies {
  repository: PasskeysRepository;
  totp: TotpRepository;
  challenges: PasskeyChallenges;
  relyingParty: RelyingParty | undefined;
}

/** Loaded when somebody first has to do with passkeys: a start would wait for it. */
const loadLibrary = () => import('@simplewebauthn/server');

type PasskeyRow = Awaited<ReturnType<PasskeysRepository['list']>>[number];

const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  isSynced: row.is_synced,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

/** Of the session that is to make the passkey: another one has begun another. */
const registrationOf = ({ sessionId }: Principal) => `registration ${sessionId}`;

/**
 * Passkeys of users with TOTP, in place of its codes and, where the authenticator verifies its user, of the password too. A
 * passkey is bound to PUBLIC_URL, so TOTP and recovery codes stay the way back in.
 */
export function createPasskeysService(
  { db, clock, config, mail }: Core,
  { repository, totp, challenges, relyingParty }: Dependencies,
) {
  function requireRelyingParty(): RelyingParty {
    if (!relyingParty) throw new DomainError('passkeys_unavailable', 'no_host');
    return relyingParty;
  }

  return {
    async list({ userId }: Caller): Promise<Passkey[]> {
      return (await repository.list(userId, relyingParty?.id)).map(toPasskey);
    },

    async createOptions({ principal }: Caller): Promise<PasskeyOptions> {
      const { id } = requireRelyingParty();
      const { userId, email, hasTotp } = principal;
      if (!hasTotp) throw new DomainError('totp_not_enabled');
      const known = await repository.list(userId, id);
      const limit = limits.passkeysPerUser;
      if (known.length >= limit) throw new DomainError('passkeys_limit_reached', { limit });
      const { generateRegistrationOptions } = await loadLibrary();
      const options = await generateRegistrationOptions({
        rpName: config.settings.serviceName,
        rpID: id,
        userName: email,
        userDisplayName: email,
        userID: new Uint8Array(Buffer.from(userId)),
        challenge: new Uint8Array(challenges.create(registrationOf(principal))),
        timeout: limits.passkeySeconds * 1000,
        attestationType: 'none',
        excludeCredentials: known.map((passkey) => ({
          id: passkey.credential_id.toString('base64url'),
          transports: passkey.transports,
        })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      });
      return { ...options };
    },

    async add(caller: Caller, { name, credential }: AddPasskeyRequest): Promise<Passkey> {
      const { id: rpId, origin } = requireRelyingParty();
      const { userId, principal, address } = caller;
      const purpose = registrationOf(principal);
      const { verifyRegistrationResponse } = await loadLibrary();
      let verified: VerifiedRegistrationResponse;
      const { authenticatorAttachment, response, ...rest } = credential;
      let challenge = '';
      try {
        verified = await verifyRegistrationResponse({
          response: {
            ...rest,
            ...(authenticatorAttachment ? { authenticatorAttachment } : {}),
            response: {
              clientDataJSON: response.clientDataJSON,
              attestationObject: response.attestationObject,
              ...(response.transports ? { transports: response.transports } : {}),
            },
          },
          expectedChallenge(given) {
            challenge = given;
            return challenges.isOpen(purpose, given);
          },
          expectedOrigin: origin,
          expectedRPID: rpId,
          requireUserVerification: false,
        });
      } catch {
        // The library says by errors what of it is wrong.
        throw new FieldError('credential', 'passkey_refused');
      }
      if (!verified.verified) throw new FieldError('credential', 'passkey_refused');
      const { credential: made, credentialBackedUp: isSynced } = verified.registrationInfo;
      const [id, createdAt] = [createId(), clock.now()];
      await db.transaction().execute(async (transaction) => {
        if (!(await totp.lock(transaction, userId))) throw new DomainError('totp_not_enabled');
        if (!(await challenges.consume(transaction, purpose, challenge))) {
          throw new FieldError('credential', 'passkey_refused');
        }
        const outcome = await repository.add(transaction, {
          ...{ id, userId, name, isSynced, createdAt, relyingParty: rpId, counter: made.counter },
          credentialId: Buffer.from(made.id, 'base64url'),
          publicKey: Buffer.from(made.publicKey),
          transports: made.transports ?? [],
        });
        if (outcome === 'full') {
          throw new DomainError('passkeys_limit_reached', { limit: limits.passkeysPerUser });
        }
        if (outcome === 'taken') throw new FieldError('credential', 'passkey_refused');
        await caller.audit('passkey.added', { details: { name } }, transaction);
        await mail.send('passkey-added', principal, { time: createdAt, address, name }, transaction);
      });
      return { id, name, isSynced, createdAt: createdAt.toISOString(), lastUsedAt: null };
    },

    async delete(caller: Caller, id: string): Promise<void> {
      const { userId, principal, address } = caller;
      await db.transaction().execute(async (transaction) => {
        const name = await repository.delete(transaction, userId, id);
        if (name === undefined) throw new DomainError('passkey_not_found');
        await caller.audit('passkey.deleted', { details: { name } }, transaction);
        await mail.send('passkey-deleted', principal, { time: clock.now(), address, name }, transaction);
      });
    },

    /** The same for everybody: it says of nobody whether they have a passkey. */
    async createChallenge(): Promise<PasskeyOptions> {
      const { id } = requireRelyingParty();
      const { generateAuthenticationOptions } = await loadLibrary();
      const options = await generateAuthenticationOptions({
        rpID: id,
        challenge: new Uint8Array(challenges.create(proofPurpose)),
        timeout: limits.passkeySeconds * 1000,
        userVerification: 'preferred',
      });
      return { ...options };
    },
  };
}
export type PasskeysService = ReturnType<typeof createPasskeysService>;
