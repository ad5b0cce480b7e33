import type { Locale, User } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { AccountsRepository } from './accounts.repository.ts';
import type { TotpRepository } from './totp.repository.ts';

interface Dependencies {
  repository: AccountsRepository;
  totp: TotpRepository;
}

/** What users see and say of themselves. */
export function createAccountsService({ config }: Core, { repository, totp }: Dependencies) {
  const { totpAuthEnabled: isTotpEnabled } = config.settings;

  async function getCurrentUser(principal: Principal): Promise<User> {
    const { serviceOf, signedInto } = principal;
    const isFactorByProvider =
      isTotpEnabled && serviceOf === undefined && !principal.hasTotp && principal.mayEnterTotpOrganizations;
    const [hasRecoveryCodes, isInTotpOrganization] = await Promise.all([
      principal.hasTotp && totp.hasRecoveryCodes(principal.userId),
      isTotpEnabled && serviceOf === undefined && repository.isInTotpOrganization(principal.userId),
    ]);
    return {
      id: principal.userId,
      email: principal.email,
      totpEnabled: principal.hasTotp,
      hasRecoveryCodes,
      hasTotpRequiredOrg: isInTotpOrganization,
      isAdministrator: principal.isAdministrator,
      locale: principal.locale,
      ...(serviceOf === undefined
        ? {}
        : { serviceAccount: { organization: serviceOf, name: principal.email } }),
      ...(signedInto === undefined ? {} : { signedInto }),
      ...(isFactorByProvider ? { isFactorByProvider } : {}),
    };
  }

  return {
    getCurrentUser,

    /** The language is that of the user's mails: requests say their own. */
    async updateCurrentUser(principal: Principal, { locale }: { locale: Locale }): Promise<User> {
      await repository.setLocale(principal.userId, locale);
      return getCurrentUser({ ...principal, locale });
    },
  };
}
export type AccountsService = ReturnType<typeof createAccountsService>;
