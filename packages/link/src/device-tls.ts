import { constants } from 'node:crypto';
import { type ConnectionOptions, DEFAULT_CIPHERS, type EphemeralKeyInfo, type TLSSocket } from 'node:tls';

/**
 * TLS to the web server of a device, and to nothing else. Devices sign their own certificates: whose bytes these are is known by the
 * link or the machine under it, and not by TLS, so that a device whose TLS is old is still one that its people have to reach. All is
 * offered at once, and none of it after a failure only: the two ends take the newest that both have, a device has few places for a
 * second connection, and what old ones say of a handshake that they do not like, if anything, is no ground to stand on. What was taken
 * is looked at by `describeOldTls`.
 */
export const deviceTls = {
  rejectUnauthorized: false,
  minVersion: 'TLSv1',
  // Above level 0 OpenSSL has neither TLS 1.0 and 1.1 nor SHA-1 nor short keys. Without the names in this list Node offers no TLS 1.3.
  ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0`,
  // Any: Node has a bound of its own.
  minDHSize: 1,
  // Of before RFC 5746, section 4.1.
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
} as const satisfies ConnectionOptions;

const oldVersions: Readonly<Record<string, string>> = { TLSv1: 'TLS 1.0', 'TLSv1.1': 'TLS 1.1' };
/** Bits of RSA and DH that browsers take for too few. */
const shortestKey = 2048;

/** What of a connection is older than browsers take, for people to read (`TLS 1.0, RSA 1024`); undefined where nothing is. */
export function describeOldTls(socket: TLSSocket): string | undefined {
  // Null, whatever its type says, once the connection is gone.
  const { modulus, bits = 0 } = socket.getPeerCertificate() ?? {};
  // Empty where there was no exchange of keys, as by RSA.
  const exchange = (socket.getEphemeralKeyInfo() ?? {}) as Partial<EphemeralKeyInfo>;
  const dhBits = exchange.type === 'DH' ? (exchange.size ?? 0) : shortestKey;
  const old = [
    oldVersions[socket.getProtocol() ?? ''],
    modulus !== undefined && bits < shortestKey ? `RSA ${bits}` : undefined,
    dhBits < shortestKey ? `DH ${dhBits}` : undefined,
  ].filter((each) => each !== undefined);
  return old.length === 0 ? undefined : old.join(', ');
}

/** Words of OpenSSL for two ends without a version, a cipher or a key that both take. */
const tooOld =
  /unsupported protocol|no protocols available|version too low|wrong ssl version|alert (?:handshake failure|protocol version|insufficient security)|key too small|cipher returned|wrong signature type|legacy sigalg/;

/** Why a handshake has failed, in OpenSSL's own words and no file names of its source; whether the device's TLS is too old for any. */
export function readTlsFailure({ message }: Error): { reason: string; isTooOld: boolean } {
  const reason = /\berror:[0-9A-F]+:[^:]*:[^:]*:([^:\n]+)/.exec(message)?.[1] ?? message;
  return { reason, isTooOld: tooOld.test(reason) };
}
