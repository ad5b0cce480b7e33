import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { DeviceAuthority, DeviceIdentity } from './device-authority.ts';
import { readIdentity } from './device-authority.ts';

/** What a proxy that ends TLS says of a client's certificate: its verdict, and the certificate as nginx or HAProxy write it. */
const verdictHeader = 'x-ssl-client-verify';
const certificateHeader = 'x-ssl-client-cert';
/** nginx says SUCCESS, HAProxy 0. */
const goodVerdicts = new Set(['SUCCESS', '0']);
const maxCertificateText = 16 * 1024;

/** Which controller makes a request; undefined where that is not proven. */
export function createIdentify(
  authority: DeviceAuthority,
  isTrustedProxy: (request: IncomingMessage) => boolean,
): (request: IncomingMessage) => DeviceIdentity | undefined {
  return (request) => {
    const { socket } = request;
    if (socket instanceof TLSSocket) {
      // Never what Node calls authorized: a session that goes on may be so without any certificate.
      const leaf = socket.isSessionReused() ? undefined : socket.getPeerX509Certificate();
      if (leaf) return authority.verify(leaf);
    }
    return isTrustedProxy(request) ? readForwarded(request) : undefined;
  };
}

/** The proxy has verified the chain, of which it hands on the leaf alone. */
function readForwarded({ headers }: IncomingMessage): DeviceIdentity | undefined {
  const { [verdictHeader]: verdict, [certificateHeader]: text } = headers;
  if (typeof verdict !== 'string' || !goodVerdicts.has(verdict)) return undefined;
  if (typeof text !== 'string' || text.length > maxCertificateText) return undefined;
  try {
    const plain = decodeURIComponent(text);
    return readIdentity(new X509Certificate(plain.startsWith('-----') ? plain : Buffer.from(text, 'base64')));
  } catch {
    return undefined; // no certificate
  }
}
