import type { Agent } from 'node:http';
import {
  CHALLENGE_PATH,
  challengeResponseSchema,
  ENROLL_PATH,
  ENROLLMENT_KEY_HEADER,
  type EnrolRequest,
  type EnrolResponse,
  enrolResponseSchema,
  getPublicKey,
} from '@pult/link';
import { getDeviceInfo } from '../platform/device-info.ts';
import { getEnrolmentHeaders, type Identity } from './identity.ts';
import { postJson } from './post-json.ts';

export interface CallOptions {
  ca: string | undefined;
  /** Makes the connections, where a proxy is on the way. */
  agent?: Agent | undefined;
  timeoutMs: number;
  signal: AbortSignal;
}

/** A nonce for one signature. Rejects as `postJson` does. */
export async function getNonce({ serverUrl, serialNumber }: Identity, options: CallOptions): Promise<string> {
  const answer = await postJson(serverUrl + CHALLENGE_PATH, JSON.stringify({ serialNumber }), options);
  const challenge = challengeResponseSchema.safeParse(answer);
  if (!challenge.success) throw new Error('the server answered the challenge in an unknown form');
  return challenge.data.nonce;
}

/** Makes this machine known to the server. Rejects as `postJson` does. */
export async function enrol(
  identity: Identity,
  enrollmentKey: string | undefined,
  options: CallOptions,
): Promise<EnrolResponse> {
  const { serialNumber, model, firmwareVersion, agentVersion } = getDeviceInfo(identity.serialNumber);
  const publicKey = getPublicKey(identity.key).toString('base64url');
  const request: EnrolRequest = { serialNumber, publicKey, model, firmwareVersion, agentVersion };
  const body = JSON.stringify(request);
  const nonce = await getNonce(identity, options);
  const answer = await postJson(identity.serverUrl + ENROLL_PATH, body, {
    ...options,
    headers: {
      ...getEnrolmentHeaders(identity, nonce, body),
      ...(enrollmentKey ? { [ENROLLMENT_KEY_HEADER]: enrollmentKey } : {}),
    },
  });
  const response = enrolResponseSchema.safeParse(answer);
  if (!response.success) throw new Error('the server answered the enrolment in an unknown form');
  return response.data;
}
