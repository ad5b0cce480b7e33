import type { AcmeChallenge } from '../../config/acme-settings.ts';

/** What an authority wants to see at a name. */
export interface Presented {
  /** Without the `*.` of a wildcard. */
  host: string;
  token: string;
  /** As the kind of challenge has it: for dns-01 its digest. */
  keyAuthorization: string;
}

/** A way to show an authority whose a name is. */
export interface ChallengeSolver {
  readonly type: AcmeChallenge;
  /** Resolves when the authority may look. Throws a CertificateProblem. */
  present(challenge: Presented, signal: AbortSignal): Promise<void>;
  /** Also of what could not be presented whole. */
  remove(challenge: Presented): Promise<void>;
}
