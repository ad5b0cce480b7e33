import type { Core } from '../../platform/core.ts';
import type { RenewalInfo } from './acme/renewal-info.ts';
import type { CertificateState } from './certificates.repository.ts';
import type { CertificateName } from './desired-certificates.ts';
import { adviseRenewal, chooseNextQuestion } from './schedule.ts';

/** An authority whose wishes lie in the past for ever is asked for one certificate a day. */
const settledMs = 24 * 3_600_000;

/** Asks the authority when a certificate is to be renewed, undefined where it does not say. */
export type AskRenewalInfo = (chain: string, signal: AbortSignal) => Promise<RenewalInfo | undefined>;

interface Dependencies {
  ask: AskRenewalInfo | undefined;
  /** Where the certificate is still that one. */
  move(name: CertificateName, plan: { chain: string; renewAt: Date }): Promise<void>;
  random?: () => number;
}

/** Follows the authority's wishes for the time of renewals; where it has none, or does not answer, what was planned stays. */
export function createRenewalPlan(
  { clock, log }: Pick<Core, 'clock' | 'log'>,
  { ask, move, random = Math.random }: Dependencies,
) {
  /** When each is asked about next, as long as it is that certificate. */
  const asked = new Map<CertificateName, { chain: string; again: Date }>();

  return {
    /** The time that holds. Rejects for nothing that the authority does. */
    async follow(
      name: CertificateName,
      { pair, issuedAt, renewAt }: CertificateState,
      signal: AbortSignal,
    ): Promise<Date | null> {
      const now = clock.now();
      if (!ask || !pair || !renewAt || renewAt <= now) return renewAt;
      if (issuedAt && now.getTime() - issuedAt.getTime() < settledMs) return renewAt;
      const last = asked.get(name);
      if (last && last.chain === pair.cert && last.again > now) return renewAt;
      let info: RenewalInfo | undefined;
      try {
        info = await ask(pair.cert, signal);
      } catch (error) {
        log.info({ err: error, certificate: name }, 'the authority does not say when to renew');
      }
      const again = chooseNextQuestion(clock.now(), info?.askAgainAt);
      asked.set(name, { chain: pair.cert, again });
      const advised = info && adviseRenewal(pair.cert, renewAt, info, random);
      if (!advised || advised.getTime() === renewAt.getTime()) return renewAt;
      await move(name, { chain: pair.cert, renewAt: advised });
      log.info({ certificate: name, renewAt: advised }, 'the authority has said when to renew');
      return advised;
    },
  };
}
