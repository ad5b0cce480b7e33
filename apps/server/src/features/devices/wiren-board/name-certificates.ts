import { createSecureContext, type SecureContext } from 'node:tls';
import { coversHost } from '../../../platform/http/certificate-names.ts';
import { certificateContext } from '../../../platform/http/certificate-server.ts';
import type { RenewedTls, TlsPair } from '../../../platform/http/tls-files.ts';

export interface NameCertificates {
  /** Whether clients that ask for that name are shown a certificate for it. */
  covers(name: string): boolean;
  /** Where they are shown another one than the server's own. */
  contextFor(name: string): SecureContext | undefined;
  renew(renewed: RenewedTls): void;
}

/** What is shown at the names at which controllers come: the server's certificate, and one for these names where there is such. */
export function createNameCertificates(given: TlsPair | undefined): NameCertificates {
  let servers = given;
  let own: { cert: string; context: SecureContext } | undefined;
  const isOwn = (name: string) => own !== undefined && name !== '' && coversHost(own.cert, name);
  return {
    covers: (name) => isOwn(name) || (servers !== undefined && coversHost(servers.cert, name)),
    contextFor: (name) => (isOwn(name) ? own?.context : undefined),
    renew({ tls, wirenBoardTls }) {
      servers = tls ?? servers;
      // No tickets: one of its names asks for certificates.
      const { secureOptions } = certificateContext;
      if (wirenBoardTls) {
        own = { cert: wirenBoardTls.cert, context: createSecureContext({ ...wirenBoardTls, secureOptions }) };
      }
    },
  };
}
