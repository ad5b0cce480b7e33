import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { withoutBrackets } from '../../network.ts';

/** Names of one connection that are remembered; browsers lay together what one certificate covers. */
const maxNames = 200;

/** The name or address of a `Host` header, in lower case and without its port. */
function hostNameOf(host: string): string {
  return withoutBrackets(host.replace(/:[0-9]*$/, '').toLowerCase());
}

/**
 * Whether requests for a host may come over that connection: it was opened for this name, or its certificate covers it too.
 * For others a browser, which has been told so by 421, opens a connection of their own (RFC 9113, section 9.1.1).
 */
export function createHostCheck(
  socket: Pick<TLSSocket, 'servername' | 'getX509Certificate'>,
): (host: string) => boolean {
  const known = new Map<string, boolean>();
  const openedFor = socket.servername ? socket.servername.toLowerCase() : undefined;

  function isCovered(name: string): boolean {
    // Our own: that of the other side is the peer's.
    const certificate = socket.getX509Certificate();
    // Browsers no longer look at the subject.
    if (isIP(name) === 0) return certificate?.checkHost(name, { subject: 'never' }) !== undefined;
    // Nobody asks for an address by TLS: whoever names none has come by it.
    return openedFor === undefined || certificate?.checkIP(name) !== undefined;
  }

  return (host) => {
    const name = hostNameOf(host);
    if (name === openedFor) return true;
    const found = known.get(name);
    if (found !== undefined) return found;
    const answer = isCovered(name);
    if (known.size < maxNames) known.set(name, answer);
    return answer;
  };
}
