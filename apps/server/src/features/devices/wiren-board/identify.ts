import { createHash, timingSafeEqual, X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { DomainError } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/log.ts';
import type { DeviceAuthority, DeviceIdentity } from './device-authority.ts';

/**
 * The key of WB_PROXY_SECRET, a space, and the client's certificate as nginx or HAProxy writes it. Both in one header: a proxy that sets
 * the key has overwritten the certificate that a stranger may have sent.
 */
const certificateHeader = 'x-ssl-client-cert';
/** Never believed: together with a certificate, which is public, it is what strangers send. */
const verdictHeader = 'x-ssl-client-verify';
const maxCertificateText = 16 * 1024;

interface Dependencies {
  authority: DeviceAuthority;
  isTrustedProxy(request: IncomingMessage): boolean;
  /** Undefined where no proxy vouches for certificates. */
  proxySecret: string | undefined;
  log: Logger;
}

/**
 * Which controller makes a request; undefined where that is not proven. A certificate is public: it proves something by the handshake of
 * TLS alone, here or at the proxy that knows the key. Throws for a trusted proxy that hands on what it has not set itself.
 */
export function createIdentify({
  authority,
  isTrustedProxy,
  proxySecret,
  log,
}: Dependencies): (request: IncomingMessage) => DeviceIdentity | undefined {
  const expected = proxySecret === undefined ? undefined : digest(proxySecret);
  const warned = new Set<string>();
  /** Strangers decide how often. */
  function warnOnce(text: string, details: object = {}): void {
    if (warned.has(text)) return;
    warned.add(text);
    log.warn(details, text);
  }

  function readForwarded({ headers }: IncomingMessage): DeviceIdentity | undefined {
    const { [certificateHeader]: text = '', [verdictHeader]: verdict = '' } = headers;
    if (text === '' && verdict === '') return undefined;
    const [given = '', ...rest] = String(text).split(' ');
    if (!expected || !timingSafeEqual(digest(given), expected)) {
      warnOnce('refused X-SSL-Client-Cert or X-SSL-Client-Verify from a proxy without WB_PROXY_SECRET');
      throw new DomainError('certificate_header_refused');
    }
    const leaf = readCertificate(rest.join(' '));
    const identity = leaf && authority.verify(leaf);
    if (leaf && !identity)
      warnOnce('refused a certificate that a proxy handed on: it is no valid one of WB_DEVICE_CA', {
        issuer: leaf.issuer.slice(0, 300),
      });
    return identity;
  }

  return (request) => {
    const { socket } = request;
    if (socket instanceof TLSSocket) {
      // Never what Node calls authorized: a session that goes on may be so without any certificate.
      const leaf = socket.isSessionReused() ? undefined : socket.getPeerX509Certificate();
      return leaf && authority.verify(leaf);
    }
    return isTrustedProxy(request) ? readForwarded(request) : undefined;
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest();

function readCertificate(text: string): X509Certificate | undefined {
  if (text === '' || text.length > maxCertificateText) return undefined;
  try {
    const plain = decodeURIComponent(text);
    return new X509Certificate(plain.startsWith('-----') ? plain : Buffer.from(text, 'base64'));
  } catch {
    return undefined; // no certificate
  }
}
