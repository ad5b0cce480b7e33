import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError } from '../../../platform/errors.ts';
import { hashToken } from '../../../platform/ids.ts';
import type { Enrolment, EnrolmentsService, KeyClaims } from '../../devices/index.ts';
import { activationRepository } from '../activation.repository.ts';
import type { Claims } from '../claims.ts';
import { getKeyState, type KeyLimits } from './enrolment-key.ts';
import type { EnrolmentKeysRepository } from './enrolment-keys.repository.ts';

interface Dependencies {
  db: Database;
  repository: EnrolmentKeysRepository;
  enrolments: EnrolmentsService;
  claims: Claims;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

/** Devices that claim themselves by a key of an organization. */
export function createKeyClaims(dependencies: Dependencies): KeyClaims {
  const { db, repository, enrolments, claims, recordAudit, clock } = dependencies;

  /** Throws where devices cannot use it. */
  function requireUsable<Key extends KeyLimits>(key: Key | undefined): Key {
    if (!key) throw new DomainError('enrolment_key_unknown');
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
    if (existing) throw new DomainError('enrolment_key_controller_exists', { serialNumber });
    if (await enrolments.wasReleased(transaction, serialNumber)) {
      throw new DomainError('enrolment_key_controller_removed', { serialNumber });
    }
    const outcome = await claims.settle(transaction, { enrolment, organizationId, existing });
    if (!(await repository.takeUse(transaction, id, clock.now()))) {
      requireUsable(await repository.findByHash(keyHash, transaction));
      throw new DomainError('enrolment_key_unknown'); // it went with its organization
    }
    const groupId = await repository.holdGroup(transaction, organizationId, key.group_id);
    const controller = { organizationId, enrolment, groupId, outcome };
    const dropped = await claims.save(transaction, controller);
    const event = { action: 'controller.activated', organizationId, subject: serialNumber, address } as const;
    await recordAudit({ ...event, details: { enrolmentKey: key.name } }, transaction);
    return { organizationId, dropped };
  }

  return {
    async requireUsable(key) {
      requireUsable(await repository.findByHash(hashToken(key)));
    },

    async claim(enrolment, key, address) {
      const keyHash = hashToken(key);
      const { id } = requireUsable(await repository.findByHash(keyHash));
      const done = await db
        .transaction()
        .execute((transaction) => claimWithin(transaction, enrolment, { id, keyHash, address }))
        .catch((error: unknown) => {
          // Somebody claimed another device of this serial number at the same moment.
          if (!(error instanceof DomainError && error.code === 'serial_number_taken')) throw error;
          throw new DomainError('enrolment_key_controller_exists', error.values);
        });
      if (done) claims.announce(enrolment, done.organizationId, done);
    },
  };
}
