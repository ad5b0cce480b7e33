/** Names both ends of the link agree on. Changing one is a new protocol version. */

/** Value of the `Upgrade` header; the number grows when an old peer could misread a new one. */
export const LINK_PROTOCOL = 'pult-link/2';
/** The same name for `Sec-WebSocket-Protocol`, where a slash is not allowed. */
export const LINK_SUBPROTOCOL = 'pult-link.2';

export const CHALLENGE_PATH = '/api-agent/v1/challenge/';
export const ENROLL_PATH = '/api-agent/v1/enroll/';
export const LINK_PATH = '/api-agent/v1/link/';

/** The server address the agent was given, as `normalizeServerUrl` writes it; the signature's audience. */
export const SERVER_URL_HEADER = 'pult-server-url';
/** `keyId` of the key that signed. */
export const KEY_ID_HEADER = 'pult-key-id';
/** The server's ENROLLMENT_KEY or the key of an organization, sent with an enrolment when the agent has one. */
export const ENROLLMENT_KEY_HEADER = 'pult-enrollment-key';
/**
 * In a link request of a device that enrols with it: base64url of the JSON that it would post to `ENROLL_PATH`. The signature is
 * then that of an enrolment, and the same connection becomes the link.
 */
export const ENROLMENT_HEADER = 'pult-enrolment';
/** In the answer to a link request with an enrolment key that has not claimed its device: base64url of a refusal as JSON. */
export const KEY_REFUSAL_HEADER = 'pult-key-refusal';
/**
 * In the answer to a link request: the nonce to sign for the next one, good once and until the device is let in again, by
 * whatever nonce. So a return needs no challenge.
 */
export const RETURN_TOKEN_HEADER = 'pult-return-token';

/**
 * The session that a link request is to go on with, and a number that grows with each try: `<id> <number>`, `<id> <number> bulk`
 * for a second connection, or `new` by an agent that could go on with one. In the answer the id of the session that the connection
 * has become part of, `<node>.<name>`: the server's process that keeps it, and a name that only the device knows.
 */
export const SESSION_HEADER = 'pult-session';
/** In a link request: what the agent understands besides, words with commas. An agent without it is asked in the old way. */
export const ACCEPTS_HEADER = 'pult-accepts';
/** Requests that end with the context of a trace, and are answered with how long they took: request-trace.ts. */
export const ACCEPTS_TRACE = 'trace';

/** How long a session without a connection is kept by both ends, in milliseconds. */
export const RESUME_MS = 120_000;

/** Longest JSON body either end accepts on the link, in bytes. */
export const MAX_JSON_BYTES = 16 * 1024;

/**
 * One spelling for a server address: scheme, host, port and path without the last slash.
 * Throws `TypeError` when it is not an http(s) URL.
 */
export function normalizeServerUrl(raw: string): string {
  const url = new URL(raw);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`not an http or https address: ${raw}`);
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
}

/** Keys that an installation may have handed on; what says of more is not taken. */
export const MAX_KEY_ROTATIONS = 16;
