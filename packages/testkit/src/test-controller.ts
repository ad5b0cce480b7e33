import { randomBytes } from 'node:crypto';
import { createId } from '@pult/server/testing';
import type { TestServer } from './test-server.ts';

export interface TestController {
  id: string;
  enrolmentId: string;
  serialNumber: string;
}

export interface TestControllerOptions {
  organizationId: string;
  serialNumber?: string;
  description?: string;
  firmwareVersion?: string;
  status?: 'online' | 'offline' | 'never';
  groupId?: string | null;
  lastSeenAt?: Date | null;
  activatedAt?: Date;
}

/** A claimed controller straight in the database, where how it was claimed does not matter. */
export async function createTestController(
  { db, clock }: TestServer,
  options: TestControllerOptions,
): Promise<TestController> {
  const now = clock.now();
  const { serialNumber = `SN-${randomBytes(4).toString('hex').toUpperCase()}`, status = 'never' } = options;
  const [id, enrolmentId] = [createId(), createId()];
  const reported = {
    serial_number: serialNumber,
    model: 'Test board',
    firmware_version: options.firmwareVersion ?? '1.0.0',
    agent_version: '0.0.0',
  };
  await db
    .insertInto('enrolments')
    .values({
      id: enrolmentId,
      handle: randomBytes(5),
      public_key: randomBytes(32),
      created_at: now,
      last_seen_at: now,
      ...reported,
    })
    .execute();
  await db
    .insertInto('controllers')
    .values({
      id,
      organization_id: options.organizationId,
      enrolment_id: enrolmentId,
      group_id: options.groupId ?? null,
      description: options.description ?? '',
      status,
      status_reason: status === 'never' ? 'never_seen' : 'link',
      status_since: now,
      last_seen_at: options.lastSeenAt ?? null,
      activated_at: options.activatedAt ?? now,
      ...reported,
    })
    .execute();
  return { id, enrolmentId, serialNumber };
}
