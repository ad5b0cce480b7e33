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
  /** Makes an agent whose calls go over one connection. */
  createAgent: () => Agent;
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Gets a nonce and makes the call that it is for, over one connection; over two where somebody closes the first after an
 * answer, as proxies may do without a word.
 */
export async function callWithNonce<T>(
  identity: Identity,
  options: CallOptions,
  call: (nonce: string, agent: Agent) => Promise<T>,
): Promise<T> {
  let hasNonce = false;
  try {
    return await withAgent(options, async (agent) => {
      const nonce = await getNonce(identity, options, agent);
      hasNonce = true;
      return call(nonce, agent);
    });
  } catch (error) {
    if (!hasNonce || !isCut(error)) throw error;
  }
  const nonce = await withAgent(options, (agent) => getNonce(identity, options, agent));
  return withAgent(options, (agent) => call(nonce, agent));
}

export function isCut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

export async function withAgent<T>(
  { createAgent }: CallOptions,
  work: (agent: Agent) => Promise<T>,
): Promise<T> {
  const agent = createAgent();
  try {
    return await work(agent);
  } finally {
    // What became a link is the agent's no more.
    agent.destroy();
  }
}

/** A nonce for one signature. Rejects as `postJson` does. */
async function getNonce(
  { serverUrl, serialNumber }: Identity,
  options: CallOptions,
  agent: Agent,
): Promise<string> {
  const body = JSON.stringify({ serialNumber });
  const answer = await postJson(serverUrl + CHALLENGE_PATH, body, { ...options, agent });
  const challenge = challengeResponseSchema.safeParse(answer);
  if (!challenge.success) throw new Error('the server answered the challenge in an unknown form');
  return challenge.data.nonce;
}

/** What this machine says of itself when it enrols, as it is signed and sent. */
export function formatEnrolment({ serialNumber, key }: Identity): string {
  const { model, firmwareVersion, agentVersion } = getDeviceInfo(serialNumber);
  const publicKey = getPublicKey(key).toString('base64url');
  const request: EnrolRequest = { serialNumber, publicKey, model, firmwareVersion, agentVersion };
  return JSON.stringify(request);
}

/** Makes this machine known to the server. Rejects as `postJson` does. */
export async function enrol(
  identity: Identity,
  enrollmentKey: string | undefined,
  options: CallOptions,
): Promise<EnrolResponse> {
  const body = formatEnrolment(identity);
  const answer = await callWithNonce(identity, options, (nonce, agent) =>
    postJson(identity.serverUrl + ENROLL_PATH, body, {
      ...options,
      agent,
      headers: {
        ...getEnrolmentHeaders(identity, nonce, body),
        ...(enrollmentKey ? { [ENROLLMENT_KEY_HEADER]: enrollmentKey } : {}),
      },
    }),
  );
  const response = enrolResponseSchema.safeParse(answer);
  if (!response.success) throw new Error('the server answered the enrolment in an unknown form');
  return response.data;
}
