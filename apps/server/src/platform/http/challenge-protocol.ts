import type { Server } from 'node:https';
import type { SecureContext, TLSSocket, TlsOptions } from 'node:tls';

/** By which an authority looks whose a name is (RFC 8737). */
const challengeProtocol = 'acme-tls/1';
/** Browsers speak HTTP/2 to a proxy in front (ADR 43). */
const ownProtocol = 'http/1.1';

export type ChallengeContextFor = (serverName: string) => SecureContext | undefined;

/**
 * The protocols that TLS clients may choose from. An authority that looks at a name gets the certificate of that look, and nobody else
 * does: it is asked for by its protocol alone. Without `contextFor` there are no such looks.
 */
export function chooseProtocols(
  contextFor: ChallengeContextFor | undefined,
): Pick<TlsOptions, 'ALPNProtocols' | 'ALPNCallback'> {
  if (!contextFor) return { ALPNProtocols: [ownProtocol] };
  return {
    ALPNCallback(this: TLSSocket, { servername, protocols }) {
      if (!protocols.includes(challengeProtocol))
        return protocols.includes(ownProtocol) ? ownProtocol : undefined;
      const context = contextFor(servername);
      if (!context) return undefined;
      this.setKeyCert(context);
      return challengeProtocol;
    },
  };
}

/** A look is over with its handshake: no request comes in under the certificate of one. To be called when all listen that take a connection. */
export function endChallenges(server: Server): void {
  const takers = server.listeners('secureConnection') as ((socket: unknown) => void)[];
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === challengeProtocol) {
      socket.on('error', () => {});
      // Sockets of an HTTP server stay half open after our end, and nobody watches this one.
      socket.destroySoon();
      return;
    }
    for (const take of takers) take.call(server, socket);
  });
}
