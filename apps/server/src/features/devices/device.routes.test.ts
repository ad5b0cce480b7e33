import { CHALLENGE_PATH } from '@pult/link';
import { TestClock } from '@pult/testkit/in-process';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { DomainError } from '../../platform/errors.ts';
import { createChallenges } from './challenges.ts';
import { registerDeviceRoutes } from './device.routes.ts';
import type { EnrolmentsService } from './enrolments.service.ts';

it('a device that finds no room is told at its first call when to come again', async () => {
  const clock = new TestClock();
  const turns = {
    checkRoom: () => {
      throw new DomainError('service_unavailable', { seconds: 12 });
    },
  };
  const app = Fastify();
  await registerDeviceRoutes(app, {
    challenges: createChallenges(clock),
    // As much of it as a challenge uses.
    enrolments: { turns } as unknown as EnrolmentsService,
    clock,
  });
  const answer = await app.inject({
    method: 'POST',
    url: CHALLENGE_PATH,
    headers: { 'content-type': 'application/json' },
    payload: '{"serialNumber":"A1B2C3D4"}',
  });
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBe('12');
  expect(answer.json()).toMatchObject({ code: 'service_unavailable' });
  await app.close();
});
