import { createSecureContext, type SecureContext } from 'node:tls';
import type { DnsSettings } from '../../config/acme-settings.ts';
import type { Events, EventTopics } from '../../platform/events/events.ts';
import type { Logger } from '../../platform/log.ts';
import { createDnsSolver } from './dns/dns-solver.ts';
import type { ChallengeSolver } from './solver.ts';

const challengePath = '/.well-known/acme-challenge/';

type Shown = Omit<EventTopics['certificateChallenge'], 'isOver'>;
type OwnChallengeType = Shown['type'];

/** Challenges that the server's own listeners answer, while they are open. */
export interface OwnChallenges {
  /** The body for a path of http-01 (RFC 8555, section 8.3). */
  findAnswer(url: string | undefined): string | undefined;
  /** The certificate for a name that is looked at by tls-alpn-01 (RFC 8737). */
  findContext(serverName: string): SecureContext | undefined;
  http: ChallengeSolver;
  tlsAlpn: ChallengeSolver;
}

/** What another node has said of a challenge and never taken back is forgotten after so long: that node is gone. */
const forgottenMs = 10 * 60_000;

/** All nodes show what one of them presents: an authority comes to any. */
export function createOwnChallenges({ events, log }: { events: Events; log: Logger }): OwnChallenges {
  const answers = new Map<string, string>();
  const contexts = new Map<string, { keyAuthorization: string; context: SecureContext }>();

  async function show({ type, host, token, keyAuthorization }: Shown): Promise<void> {
    if (type === 'http-01') answers.set(token, keyAuthorization);
    else if (contexts.get(host)?.keyAuthorization !== keyAuthorization) {
      contexts.set(host, { keyAuthorization, context: await createChallengeContext(host, keyAuthorization) });
    }
  }
  /** Not what has come in its place. */
  function hide({ type, host, token, keyAuthorization }: Shown): void {
    if (type === 'http-01') answers.delete(token);
    else if (contexts.get(host)?.keyAuthorization === keyAuthorization) contexts.delete(host);
  }

  events.subscribe('certificateChallenge', ({ isOver, ...shown }) => {
    if (isOver) {
      hide(shown);
      return;
    }
    setTimeout(() => hide(shown), forgottenMs).unref();
    show(shown).catch((error: Error) => log.error({ err: error }, 'challenge of an authority not shown'));
  });

  const solverOf = (type: OwnChallengeType): ChallengeSolver => ({
    type,
    async present(presented) {
      await show({ type, ...presented });
      events.publish('certificateChallenge', { type, ...presented, isOver: false });
    },
    async remove(presented) {
      events.publish('certificateChallenge', { type, ...presented, isOver: true });
    },
  });

  return {
    findAnswer: (url = '') =>
      url.startsWith(challengePath) ? answers.get(url.slice(challengePath.length)) : undefined,
    findContext: (serverName) => contexts.get(serverName.toLowerCase())?.context,
    http: solverOf('http-01'),
    tlsAlpn: solverOf('tls-alpn-01'),
  };
}

async function createChallengeContext(host: string, keyAuthorization: string): Promise<SecureContext> {
  const { crypto } = await import('acme-client');
  const identifier = { type: 'dns', value: host };
  // Of the same type as the certificate in use: OpenSSL has chosen how to sign before it asks for the protocol.
  const newKey = await crypto.createPrivateEcdsaKey('P-256');
  // The library looks at nothing of it but the name.
  const authorization = { identifier } as Parameters<typeof crypto.createAlpnCertificate>[0];
  const [key, cert] = await crypto.createAlpnCertificate(authorization, keyAuthorization, newKey);
  return createSecureContext({ key, cert });
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
