import { createSecureContext, type SecureContext } from 'node:tls';
import type { DnsSettings } from '../../config/acme-settings.ts';
import type { Logger } from '../../platform/log.ts';
import { createDnsSolver } from './dns/dns-solver.ts';
import type { ChallengeSolver } from './solver.ts';

const challengePath = '/.well-known/acme-challenge/';

/** Challenges that the server's own listeners answer, while they are open. */
export interface OwnChallenges {
  /** The body for a path of http-01 (RFC 8555, section 8.3). */
  findAnswer(url: string | undefined): string | undefined;
  /** The certificate for a name that is looked at by tls-alpn-01 (RFC 8737). */
  findContext(serverName: string): SecureContext | undefined;
  http: ChallengeSolver;
  tlsAlpn: ChallengeSolver;
}

export function createOwnChallenges(): OwnChallenges {
  const answers = new Map<string, string>();
  const contexts = new Map<string, SecureContext>();
  return {
    findAnswer: (url = '') =>
      url.startsWith(challengePath) ? answers.get(url.slice(challengePath.length)) : undefined,
    findContext: (serverName) => contexts.get(serverName.toLowerCase()),
    http: {
      type: 'http-01',
      async present({ token, keyAuthorization }) {
        answers.set(token, keyAuthorization);
      },
      async remove({ token }) {
        answers.delete(token);
      },
    },
    tlsAlpn: {
      type: 'tls-alpn-01',
      async present({ host, keyAuthorization }) {
        const { crypto } = await import('acme-client');
        const identifier = { type: 'dns', value: host };
        // Of the same type as the certificate in use: OpenSSL has chosen how to sign before it asks for the protocol.
        const newKey = await crypto.createPrivateEcdsaKey('P-256');
        // The library looks at nothing of it but the name.
        const authorization = { identifier } as Parameters<typeof crypto.createAlpnCertificate>[0];
        const [key, cert] = await crypto.createAlpnCertificate(authorization, keyAuthorization, newKey);
        contexts.set(host, createSecureContext({ key, cert }));
      },
      async remove({ host }) {
        contexts.delete(host);
      },
    },
  };
}

export function findSolver(
  type: ChallengeSolver['type'],
  own: OwnChallenges,
  { dns, log }: { dns: DnsSettings | undefined; log: Logger },
): ChallengeSolver {
  if (type === 'http-01') return own.http;
  if (type === 'tls-alpn-01') return own.tlsAlpn;
  if (!dns) throw new Error('dns-01 without a way to make records');
  return createDnsSolver(dns, log);
}
