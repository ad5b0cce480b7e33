import type { Environments } from '@pult/contract';
import type { Config } from '../../../config/config.ts';
import type { Core } from '../../../platform/core.ts';
import type { TotpRepository } from '../totp.repository.ts';
import { createPasskeyChallenges } from './passkey-challenges.ts';
import { createPasskeyProofs } from './passkey-proofs.ts';
import { createPasskeysRepository } from './passkeys.repository.ts';
import { createPasskeysService } from './passkeys.service.ts';
import { findRelyingParty, type RelyingParty } from './relying-party.ts';

const usesOf = (relyingParty: RelyingParty | undefined): Environments['PASSKEYS'] => {
  if (!relyingParty) return 'none';
  return relyingParty.isForLogin ? 'login' : 'code';
};

/** Passkeys of accounts: wires their parts. */
export function createPasskeys(
  core: Core,
  dependencies: {
    config: Pick<Config, 'tunnels' | 'settings'>;
    /** Of the challenges. */
    key: Buffer;
    totp: TotpRepository;
  },
) {
  const { db, clock, publicUrl } = core;
  const { config, key, totp } = dependencies;
  const relyingParty = findRelyingParty(publicUrl, config.tunnels.domain);
  const repository = createPasskeysRepository(db);
  const challenges = createPasskeyChallenges({ key, clock, use: repository.useChallenge });
  return {
    uses: usesOf(relyingParty),
    findOwner: repository.findOwner,
    accept: createPasskeyProofs({ repository, challenges, relyingParty, clock }),
    service: createPasskeysService(core, {
      repository,
      totp,
      challenges,
      relyingParty,
      serviceName: config.settings.serviceName,
    }),
  };
}
export type Passkeys = ReturnType<typeof createPasskeys>;
