import type { KeyObject } from 'node:crypto';
import {
  CHALLENGE_PATH,
  createDeviceKey,
  ENROLL_PATH,
  formatAuthorization,
  getPublicKey,
  keyId,
  SERVER_URL_HEADER,
  signEnrolment,
} from '@pult/link';
import type { TestAnswer, TestServer } from './test-server.ts';

/** A device that speaks the enrolment calls by hand, so that tests can bend each of them. */
export interface TestDevice {
  serialNumber: string;
  privateKey: KeyObject;
  publicKey: Buffer;
  keyId: string;
}

export function createTestDevice(serialNumber: string): TestDevice {
  const privateKey = createDeviceKey();
  const publicKey = getPublicKey(privateKey);
  return { serialNumber, privateKey, publicKey, keyId: keyId(publicKey) };
}

export async function requestNonce(server: TestServer, serialNumber: string): Promise<string> {
  const answer = await server.request('POST', CHALLENGE_PATH, {
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ serialNumber }),
  });
  return (answer.body as { nonce: string }).nonce;
}

export interface EnrolOverrides {
  nonce?: string;
  /** Signs with another key than the one it presents. */
  signWith?: KeyObject;
  audience?: string;
  payload?: string;
  headers?: Record<string, string>;
}

/** Enrols a device; the answer's body is `{activated, activationLink}`. */
export async function enrolTestDevice(
  server: TestServer,
  device: TestDevice,
  overrides: EnrolOverrides = {},
): Promise<TestAnswer> {
  const nonce = overrides.nonce ?? (await requestNonce(server, device.serialNumber));
  const audience = overrides.audience ?? server.publicUrl;
  const body = JSON.stringify({
    serialNumber: device.serialNumber,
    publicKey: device.publicKey.toString('base64url'),
    model: 'Test board',
    firmwareVersion: '1.0.0',
    agentVersion: '0.0.0',
  });
  const signature = signEnrolment(overrides.signWith ?? device.privateKey, {
    audience,
    serialNumber: device.serialNumber,
    nonce,
    body,
  });
  return server.request('POST', ENROLL_PATH, {
    headers: {
      'content-type': 'application/json',
      authorization: formatAuthorization({ serialNumber: device.serialNumber, nonce, signature }),
      [SERVER_URL_HEADER]: audience,
      ...overrides.headers,
    },
    payload: overrides.payload ?? body,
  });
}

/** The token that an enrolled, unclaimed device shows. */
export function tokenOf(answer: TestAnswer): string {
  const { activationLink } = answer.body as { activationLink: string };
  return new URL(activationLink).searchParams.get('token') ?? '';
}
