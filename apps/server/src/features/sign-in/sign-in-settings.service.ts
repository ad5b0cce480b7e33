import type {
  GrantPlace,
  GroupGrant,
  GroupGrantsPreview,
  IdentityProvider,
  SetIdentityProviderRequest,
  ShownGroupGrant,
  SignInSettings,
} from '@pult/contract';
import type { OrganizationCaller } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import { createId } from '../../platform/ids.ts';
import { isOwnMachine } from '../../platform/network.ts';
import type { RateLimiter } from '../../platform/rate-limit.ts';
import { isPrivateUrl } from '../../platform/webhooks/index.ts';
import type { GrantsRepository } from '../grants/index.ts';
import { comparePeople } from './compare-people.ts';
import type { Providers } from './find-provider.ts';
import type { GivenByGroups } from './given-by-groups.ts';
import type { GroupGrantsRepository, StoredGroupGrant } from './group-grants.repository.ts';
import type { IdentitiesRepository } from './identities.repository.ts';
import type { ProviderClient } from './provider-client.ts';
import type { ProvidersRepository, StoredProvider } from './providers.repository.ts';
import type { ShownGroupGrantsRepository } from './shown-group-grants.repository.ts';

interface Dependencies {
  places: Pick<GrantsRepository, 'findPlace' | 'holdPlace'>;
  repository: ProvidersRepository;
  providers: Providers;
  client: ProviderClient;
  identities: IdentitiesRepository;
  rules: GroupGrantsRepository;
  shownRules: ShownGroupGrantsRepository;
  givenByGroups: GivenByGroups;
  rateLimiter: RateLimiter;
  /** OIDC_PRIVATE. */
  allowsPrivate: boolean;
  isAvailable: boolean;
  redirectUriOf(organizationId: string | undefined): string;
}

/** Each does all the work of a table that is set. */
const previewsPerMinute = 30;

const toShown = ({ organizationId: _, clientSecret: __, ...provider }: StoredProvider): IdentityProvider =>
  provider;

/** Ends a transaction without anything that was done in it. */
class WhatIf extends Error {
  override readonly name = 'WhatIf';
}

/** How people sign in to an organization: its owners say so. */
export function createSignInSettingsService({ db, events, publicUrl }: Core, dependencies: Dependencies) {
  const { repository, providers, client, rules, shownRules } = dependencies;

  async function show(organizationId: string): Promise<SignInSettings> {
    const [stored, requirement] = await Promise.all([
      repository.get(organizationId),
      repository.getRequirement(db, organizationId),
    ]);
    return {
      provider: stored ? toShown(stored) : null,
      redirectUri: dependencies.redirectUriOf(organizationId),
      signInUrl: `${publicUrl}/login/organization/${organizationId}`,
      installationProvider: providers.own ? { name: providers.own.name } : null,
      ...requirement,
    };
  }

  /** Throws FieldError for an address that nobody may be sent to, or that the server may not ask. */
  function requireAddress(issuer: string): void {
    const url = new URL(issuer);
    const isOwn = isOwnMachine(url.hostname);
    if (url.protocol !== 'https:' && !(isOwn && dependencies.allowsPrivate)) {
      throw new FieldError('issuer', 'provider_https');
    }
    if (!dependencies.allowsPrivate && isPrivateUrl(url)) throw new FieldError('issuer', 'provider_private');
  }

  async function requirePlaces(
    organizationId: string,
    asked: readonly GroupGrant[],
  ): Promise<StoredGroupGrant[]> {
    const found: StoredGroupGrant[] = [];
    for (const { group, scope, role } of asked) {
      const place = await dependencies.places.findPlace(organizationId, scope satisfies GrantPlace);
      if (!place) throw new FieldError('rules', 'place_unknown');
      found.push({ id: createId(), group, ...place, role });
    }
    return found;
  }

  async function replaceRules(
    transaction: DatabaseTransaction,
    organizationId: string,
    found: readonly StoredGroupGrant[],
  ): Promise<void> {
    for (const place of found) {
      if (!(await dependencies.places.holdPlace(transaction, organizationId, place))) {
        throw new FieldError('rules', 'place_unknown');
      }
    }
    await rules.replaceRules(transaction, organizationId, found);
  }

  return {
    get: ({ organization }: OrganizationCaller): Promise<SignInSettings> => show(organization.id),

    async setProvider(
      caller: OrganizationCaller,
      request: SetIdentityProviderRequest,
    ): Promise<SignInSettings> {
      const { address } = caller;
      const { id: organizationId } = caller.organization;
      if (!dependencies.isAvailable) throw new DomainError('sign_in_needs_https');
      requireAddress(request.issuer);
      const before = await repository.get(organizationId);
      const kept = before?.issuer === request.issuer ? providers.open(before)?.clientSecret : undefined;
      const clientSecret = request.clientSecret ?? kept;
      if (clientSecret === undefined)
        throw new FieldError('clientSecret', before ? 'provider_secret' : 'required');
      await dependencies.rateLimiter.require([
        { key: ['provider examined', organizationId], limit: 30, window: 3600 },
      ]);
      const { name, issuer, clientId, scopes, groupsClaim, secondFactorAcr } = request;
      const provider = { name, issuer, clientId, scopes, groupsClaim, secondFactorAcr };
      const outcome = await client.examine({ ...provider, organizationId, clientSecret, trustsEmail: false });
      if (outcome !== 'found') {
        throw new FieldError(
          'issuer',
          outcome === 'unreachable' ? 'provider_unreachable' : 'provider_issuer',
        );
      }
      await caller.change(async (transaction) => {
        const encrypted = providers.encryptSecret(organizationId, clientSecret);
        await repository.set(transaction, { ...provider, organizationId, clientSecret: encrypted });
        // Whoever signed in by another one has to sign in by this.
        await dependencies.identities.deleteOfOrganization(transaction, organizationId, issuer);
        // Nor do groups of the installation's provider count any more.
        await dependencies.givenByGroups.apply(transaction, { organizationId }, { address, provider });
        await caller.audit('sign_in.provider_set', { details: { provider: name, issuer } }, transaction);
      });
      events.publish('accessEnded', { organizationId });
      return show(organizationId);
    },

    async deleteProvider(caller: OrganizationCaller): Promise<void> {
      const { address } = caller;
      const { id: organizationId } = caller.organization;
      await caller.change(async (transaction) => {
        const { isRequired } = await repository.getRequirement(transaction, organizationId);
        if (isRequired) throw new DomainError('sign_in_is_required');
        const name = await repository.delete(transaction, organizationId);
        if (name === undefined) return;
        await dependencies.identities.deleteOfOrganization(transaction, organizationId);
        await dependencies.givenByGroups.apply(
          transaction,
          { organizationId },
          { address, provider: providers.own },
        );
        await caller.audit('sign_in.provider_deleted', { details: { provider: name } }, transaction);
      });
      events.publish('accessEnded', { organizationId });
    },

    async require(
      caller: OrganizationCaller,
      { isRequired, breakGlassOwner }: { isRequired: boolean; breakGlassOwner?: string | undefined },
    ): Promise<SignInSettings> {
      const { id: organizationId } = caller.organization;
      await caller.change(async (transaction) => {
        const hasProvider = providers.own || (await repository.get(organizationId, transaction));
        if (isRequired && !hasProvider) throw new DomainError('provider_not_found', 'unknown');
        const owner =
          isRequired && breakGlassOwner !== undefined
            ? await repository.findOwner(transaction, organizationId, breakGlassOwner)
            : undefined;
        if (isRequired && owner === undefined) throw new FieldError('breakGlassOwner', 'owner_unknown');
        // By what would they get in once the provider is down?
        if (owner?.hasPassword === false) throw new FieldError('breakGlassOwner', 'owner_password');
        await repository.setRequirement(transaction, organizationId, {
          isRequired,
          breakGlassOwner: isRequired ? (breakGlassOwner ?? null) : null,
        });
        const action = isRequired ? 'sign_in.required' : 'sign_in.not_required';
        await caller.audit(
          action,
          owner === undefined ? {} : { details: { user: owner.email } },
          transaction,
        );
      });
      events.publish('accessEnded', { organizationId });
      return show(organizationId);
    },

    async getRules({ organization }: OrganizationCaller): Promise<{ rules: ShownGroupGrant[] }> {
      return { rules: await shownRules.listRules(db, organization.id) };
    },

    /** Does it all, looks at what has come of it, and takes it back. */
    async previewRules(
      caller: OrganizationCaller,
      asked: readonly GroupGrant[],
    ): Promise<GroupGrantsPreview> {
      const { id: organizationId } = caller.organization;
      await dependencies.rateLimiter.require([
        { key: ['group grants preview', organizationId], limit: previewsPerMinute, window: 60 },
      ]);
      const found = await requirePlaces(organizationId, asked);
      let preview: GroupGrantsPreview = { people: [], unknownGroups: [] };
      try {
        await caller.change(async (transaction) => {
          const before = await shownRules.listGiven(transaction, organizationId);
          await replaceRules(transaction, organizationId, found);
          await rules.apply(transaction, { organizationId }, { seconds: 0, isWhatIf: true });
          preview = comparePeople({
            before,
            after: await shownRules.listGiven(transaction, organizationId),
            people: await rules.listPeople(transaction, organizationId),
            groups: asked.map(({ group }) => group),
            rules: await shownRules.listRules(transaction, organizationId),
          });
          throw new WhatIf();
        });
      } catch (error) {
        if (!(error instanceof WhatIf)) throw error;
      }
      return preview;
    },

    async setRules(
      caller: OrganizationCaller,
      asked: readonly GroupGrant[],
    ): Promise<{ rules: ShownGroupGrant[] }> {
      const { address } = caller;
      const { id: organizationId } = caller.organization;
      const found = await requirePlaces(organizationId, asked);
      const provider = (await providers.find(organizationId)) ?? providers.own;
      await caller.change(async (transaction) => {
        await replaceRules(transaction, organizationId, found);
        await dependencies.givenByGroups.apply(transaction, { organizationId }, { address, provider });
        await caller.audit('sign_in.groups_changed', { details: { count: found.length } }, transaction);
      });
      events.publish('accessEnded', { organizationId });
      return { rules: await shownRules.listRules(db, organizationId) };
    },
  };
}
export type SignInSettingsService = ReturnType<typeof createSignInSettingsService>;
