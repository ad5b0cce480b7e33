export { acceptLink, acceptUpgrade, acceptWebSocket, getLinkTransport, refuseLink } from './accept.ts';
export { formatAuthorization, type LinkAuthorization, parseAuthorization } from './authorization.ts';
export { encodeBase32 } from './base32.ts';
export { type CloudLink, type CloudLinkOptions, openCloudLink } from './cloud-link.ts';
export type { DeviceHandlers, TakenUpdate } from './device-handlers.ts';
export {
  createDeviceKey,
  exportDeviceKey,
  getPublicKey,
  importDeviceKey,
  keyFingerprint,
  keyId,
} from './device-key.ts';
export { type DeviceLink, serveDeviceLink } from './device-link.ts';
export { describeOldTls, deviceTls, readTlsFailure } from './device-tls.ts';
export { type DialOptions, DialTimeoutError, dial, type LinkTransport } from './dial.ts';
export { makeInert } from './inert-text.ts';
export { joinStreams } from './join-streams.ts';
export {
  type LinkCloseReason,
  LinkRefusedError,
  ServiceError,
  type ServiceErrorCode,
} from './link-error.ts';
export * from './messages.ts';
export {
  ACCEPTS_HEADER,
  ACCEPTS_TRACE,
  CHALLENGE_PATH,
  ENROLL_PATH,
  ENROLLMENT_KEY_HEADER,
  ENROLMENT_HEADER,
  KEY_ID_HEADER,
  KEY_REFUSAL_HEADER,
  LINK_PATH,
  LINK_PROTOCOL,
  LINK_SUBPROTOCOL,
  MAX_KEY_ROTATIONS,
  normalizeServerUrl,
  RESUME_MS,
  RETURN_TOKEN_HEADER,
  SERVER_URL_HEADER,
  SESSION_HEADER,
} from './protocol.ts';
export type { RequestTrace, TraceRequest } from './request-trace.ts';
export { resetSocket } from './reset-socket.ts';
export { parseRetryAfter, wait } from './retry-after.ts';
export { isSerialNumber, normalizeSerialNumber, serialNumberPattern } from './serial-number.ts';
export { getServicePort, isServiceName, type ServiceName } from './service-name.ts';
export { Session } from './session/session.ts';
export type { SessionStream } from './session/session-stream.ts';
export { SharedMemory } from './session/shared-memory.ts';
export { SocketLike } from './session/socket-like.ts';
export { type Priority, priorities } from './session/stream-route.ts';
export { MAX_KNOWN_STREAMS } from './session/streams.ts';
export {
  type EnrolmentClaim,
  type LinkClaim,
  signEnrolment,
  signLink,
  signManifest,
  signRotation,
  verifyEnrolment,
  verifyLink,
  verifyManifest,
  verifyRotation,
} from './signature.ts';
export { countSmallPieces } from './small-pieces.ts';
export * from './telemetry.ts';
export {
  compareVersions,
  followRotations,
  MAX_AGENT_BYTES,
  openOffer,
  type UpdateManifest,
  type UpdateOffer,
} from './update-offer.ts';
