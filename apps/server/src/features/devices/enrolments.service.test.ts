import { randomBytes } from 'node:crypto';
import { TestClock } from '@pult/testkit/in-process';
import { expect, it } from 'vitest';
import { createChallenges } from './challenges.ts';
import type { EnrolmentQuota } from './enrolment-quota.ts';
import type { EnrolmentsRepository } from './enrolments.repository.ts';
import { createEnrolmentsService } from './enrolments.service.ts';
import type { KeyClaims } from './key-claims.ts';

/** With a database that does not answer, four devices may wait. */
function createBusyService() {
  const never = () => new Promise<never>(() => {});
  const clock = new TestClock();
  return createEnrolmentsService(
    { clock, publicUrl: 'https://pult.example.com' },
    {
      // Nothing else of them is asked here.
      repository: { listByKeyIds: never, renewEnrolment: never } as unknown as EnrolmentsRepository,
      quota: {} as EnrolmentQuota,
      challenges: createChallenges(clock),
      activationKey: randomBytes(32),
      serverUrls: ['https://pult.example.com'],
      enrollmentKey: undefined,
      getKeyClaims: () => ({}) as KeyClaims,
      admission: { concurrent: 1, maxWaiting: 2 },
    },
  );
}

const device = { serialNumber: 'SN-1', publicKey: randomBytes(32) };
const proven = {
  ...device,
  model: 'M',
  firmwareVersion: '1',
  agentVersion: '1',
  connectionKind: 'ssh',
  address: '192.0.2.1',
} as const;
const busy = { code: 'service_unavailable', values: { seconds: 1 } };

it('devices beyond those that may wait are told when to come back, however far they have got', async () => {
  const service = createBusyService();
  const enrolForLink = () =>
    service.enrolForLink({ ...device, publicKey: '', model: '', firmwareVersion: '', agentVersion: '' }, '', {
      authorization: '',
      serverUrl: '',
      enrollmentKey: undefined,
      address: '192.0.2.1',
    });
  for (let count = 0; count < 3; count++) void service.findProven(device);
  await expect(enrolForLink()).rejects.toMatchObject({ code: 'device_signature_invalid' });
  void service.findProven(device);
  await expect(service.findProven(device)).rejects.toMatchObject(busy);
  await expect(service.enrolProven(proven)).rejects.toMatchObject(busy);
  await expect(enrolForLink()).rejects.toMatchObject(busy);
});
