import type { KeyObject } from 'node:crypto';
import {
  ENROLLMENT_KEY_HEADER,
  ENROLMENT_HEADER,
  formatAuthorization,
  getPublicKey,
  KEY_ID_HEADER,
  keyId,
  SERVER_URL_HEADER,
  signEnrolment,
  signLink,
} from '@pult/link';

/** Who the agent is, and for which server. */
export interface Identity {
  serverUrl: string;
  serialNumber: string;
  key: KeyObject;
}

/** Headers that prove the identity for a link request. */
export function getLinkHeaders(
  { serverUrl, serialNumber, key }: Identity,
  nonce: string,
): Record<string, string> {
  const signature = signLink(key, { audience: serverUrl, serialNumber, nonce });
  return getHeaders({ serverUrl, serialNumber, key }, nonce, signature);
}

/** The same for one that enrols as well, with exactly this body. */
export function getEnrolmentLinkHeaders(
  identity: Identity,
  nonce: string,
  body: string,
  enrollmentKey: string | undefined,
): Record<string, string> {
  return {
    ...getEnrolmentHeaders(identity, nonce, body),
    [ENROLMENT_HEADER]: Buffer.from(body).toString('base64url'),
    ...(enrollmentKey ? { [ENROLLMENT_KEY_HEADER]: enrollmentKey } : {}),
  };
}

/** Headers that prove the identity for an enrolment with exactly this body. */
export function getEnrolmentHeaders(identity: Identity, nonce: string, body: string): Record<string, string> {
  const { serverUrl, serialNumber, key } = identity;
  return getHeaders(identity, nonce, signEnrolment(key, { audience: serverUrl, serialNumber, nonce, body }));
}

function getHeaders({ serverUrl, serialNumber, key }: Identity, nonce: string, signature: Buffer) {
  return {
    Authorization: formatAuthorization({ serialNumber, nonce, signature }),
    [SERVER_URL_HEADER]: serverUrl,
    [KEY_ID_HEADER]: keyId(getPublicKey(key)),
  };
}
