import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HourlyAudit } from '../../platform/hourly-audit.ts';
import { hashToken } from '../../platform/ids.ts';
import { activationRepository, type Claims } from '../activation/index.ts';
import type { Enrolment, EnrolmentsService, KeyClaims, KeyHolder } from '../devices/index.ts';
import { getKeyState, type KeyLimits } from './enrolment-key.ts';
import type { EnrolmentKeysRepository } from './enrolment-keys.repository.ts';

interface Dependencies {
  repository: EnrolmentKeysRepository;
  enrolments: EnrolmentsService;
  claims: Claims;
  audit: HourlyAudit;
}

/** Devices that claim themselves by a key of an organization. */
export function createKeyClaims({ db, clock, recordAudit }: Core, dependencies: Dependencies): KeyClaims {
  const { repository, enrolments, claims, audit } = dependencies;

  /** Throws where devices cannot use it. */
  function requireUsable<Key extends KeyLimits>(key: Key | undefined): Key {
    if (!key) throw new DomainError('enrolment_key_unknown', 'unknown');
    const state = getKeyState(key, clock.now());
    if (state === 'used_up') throw new DomainError('enrolment_key_used_up', { limit: key.max_uses });
    if (state !== 'active') throw new DomainError(`enrolment_key_${state}`);
    return key;
  }

  async function claimWithin(
    transaction: DatabaseTransaction,
    selected: Enrolment,
    { id, keyHash, address }: { id: string; keyHash: Buffer; address: string },
  ): Promise<{ organizationId: string; dropped: string[] } | undefined> {
    const { serial_number: serialNumber } = selected;
    const key = requireUsable(await repository.findByHash(keyHash, transaction));
    const { organization_id: organizationId } = key;
    await activationRepository.holdOrganization(transaction, organizationId);
    // First the controller, then its devices, as a deletion does: the two must not wait for each other.
    const existing = await activationRepository.lockController(transaction, serialNumber);
    const enrolment = await enrolments.takeForClaim(transaction, selected);
    if (!enrolment) return undefined; // claimed a moment ago
    // Whoever opens one device of an image has the key: it must not open the way to the controllers there are.
    if (existing) throw new DomainError('enrolment_key_controller_exists', 'exists', { serialNumber });
    if (await enrolments.wasReleased(transaction, serialNumber)) {
      throw new DomainError('enrolment_key_controller_removed', { serialNumber });
    }
    const outcome = await claims.settle(transaction, { enrolment, organizationId, existing });
    if (!(await repository.takeUse(transaction, id, clock.now()))) {
      requireUsable(await repository.findByHash(keyHash, transaction));
      throw new DomainError('enrolment_key_unknown', 'organization_gone');
    }
    const groupId = await repository.holdGroup(transaction, organizationId, key.group_id);
    const controller = { organizationId, enrolment, groupId, outcome };
    const dropped = await claims.save(transaction, controller);
    const event = { action: 'controller.activated', organizationId, subject: serialNumber, address } as const;
    await recordAudit({ ...event, details: { enrolmentKey: key.name } }, transaction);
    return { organizationId, dropped };
  }

  /**
   * That a key of an organization was refused to a device, for its admins: a device tries again and again, and whoever has a key shows it for
   * any serial number.
   */
  async function noteRefusal(keyHash: Buffer, { code }: DomainError, { serialNumber, address }: KeyHolder) {
    const key = await repository.findByHash(keyHash);
    if (!key) return;
    const { id, name, organization_id: organizationId } = key;
    const event = { action: 'enrolment_key.refused', organizationId, subject: name, address } as const;
    const details = { controllers: serialNumber, reason: code };
    await audit(['enrolment key refused', id, code], { ...event, details });
  }

  async function orNote<T>(keyHash: Buffer, holder: KeyHolder, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      // The device is told why, whatever becomes of the note.
      if (error instanceof DomainError) await noteRefusal(keyHash, error, holder).catch(() => {});
      throw error;
    }
  }

  return {
    async requireUsable(key, holder) {
      const keyHash = hashToken(key);
      await orNote(keyHash, holder, async () => requireUsable(await repository.findByHash(keyHash)));
    },

    async claim(enrolment, key, address) {
      const keyHash = hashToken(key);
      const done = await orNote(keyHash, { serialNumber: enrolment.serial_number, address }, async () => {
        const { id } = requireUsable(await repository.findByHash(keyHash));
        return db
          .transaction()
          .execute((transaction) => claimWithin(transaction, enrolment, { id, keyHash, address }))
          .catch((error: unknown) => {
            // Somebody claimed another device of this serial number at the same moment.
            if (!(error instanceof DomainError && error.code === 'serial_number_taken')) throw error;
            throw new DomainError('enrolment_key_controller_exists', 'claimed_meanwhile', error.values);
          });
      });
      if (done) claims.announce(enrolment, done.organizationId, done);
    },
  };
}
