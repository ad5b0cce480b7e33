import { errorCatalogue } from '@pult/contract';
import {
  CHALLENGE_PATH,
  challengeRequestSchema,
  ENROLL_PATH,
  ENROLLMENT_KEY_HEADER,
  enrolRequestSchema,
  SERVER_URL_HEADER,
} from '@pult/link';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { DomainError } from '../../../platform/errors.ts';
import { errorHeaders, identifyError } from '../../../platform/http/error-answers.ts';
import { noteRefusal } from '../../../platform/http/refused-requests.ts';
import type { Challenges } from '../challenges.ts';
import type { ClientLimits } from '../client-limits.ts';
import type { EnrolmentsService } from '../enrolments.service.ts';
import { describeRefusal } from './describe-refusal.ts';

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

export function parseBody<T extends z.ZodType>(schema: T, text: unknown): z.output<T> {
  try {
    return schema.parse(JSON.parse(String(text)));
  } catch {
    throw new DomainError('invalid_request'); // a device's developer sees it, no user
  }
}

/** The two calls a device makes before it has a link. */
export async function registerDeviceRoutes(
  app: FastifyInstance,
  options: { challenges: Challenges; enrolments: EnrolmentsService; limits: ClientLimits },
): Promise<void> {
  const { challenges, enrolments, limits } = options;
  // It costs nothing, but who has one comes on: those who knock together shall not.
  const createNonce = enrolments.admission.batch(async (serialNumbers: readonly string[]) =>
    serialNumbers.map((serialNumber) => challenges.create(serialNumber)),
  );

  await app.register(async (scope) => {
    // The signature is over the body as it was sent, so here a body stays text.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: 4096 }, (_, body, done) =>
      done(null, body),
    );
    scope.addHook('onRequest', async (_, reply) => void reply.header('cache-control', 'no-store'));
    scope.setErrorHandler<Error>((error, request, reply) => {
      const { code, values } = identifyError(error, request);
      return reply
        .status(errorCatalogue[code].status)
        .headers(errorHeaders(code, values))
        .send(describeRefusal(code, values));
    });

    scope.post(CHALLENGE_PATH, async (request) => {
      const { serialNumber } = parseBody(challengeRequestSchema, request.body);
      const release = limits.enterQueue(request.ip);
      try {
        return { nonce: await createNonce(serialNumber) };
      } finally {
        release();
      }
    });

    scope.post(ENROLL_PATH, async (request) => {
      limits.countEnrolment(request.ip);
      const body = parseBody(enrolRequestSchema, request.body);
      const release = limits.enterQueue(request.ip, true);
      const proof = {
        authorization: request.headers.authorization,
        serverUrl: header(request, SERVER_URL_HEADER),
        enrollmentKey: header(request, ENROLLMENT_KEY_HEADER),
        address: request.ip,
      };
      const { keyRefusal, ...enrolled } = await enrolments
        .enrol(body, String(request.body), proof)
        .finally(release);
      if (!keyRefusal) return enrolled;
      noteRefusal(request, keyRefusal.logged);
      return { ...enrolled, keyRefusal: describeRefusal(keyRefusal.code, keyRefusal.values) };
    });
  });
}
