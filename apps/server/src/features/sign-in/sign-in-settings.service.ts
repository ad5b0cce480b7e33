import type {
  GrantPlace,
  GroupGrant,
  GroupGrantsPreview,
  IdentityProvider,
  SetIdentityProviderRequest,
  ShownGroupGrant,
  SignInSettings,
} from '@pult/contract';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createId } from '../../platform/ids.ts';
import { isOwnMachine } from '../../platform/network.ts';
import type { RateLimiter } from '../../platform/rate-limit.ts';
import { isPrivateUrl } from '../../platform/webhooks/index.ts';
import type { GrantsRepository, OrganizationAccess } from '../organizations/index.ts';
import { comparePeople } from './compare-people.ts';
import type { Providers } from './find-provider.ts';
import type { GivenByGroups } from './given-by-groups.ts';
import type { GroupGrantsRepository, StoredGroupGrant } from './group-grants.repository.ts';
import type { IdentitiesRepository } from './identities.repository.ts';
import type { ProviderClient } from './provider-client.ts';
import type { ProvidersRepository, StoredProvider } from './providers.repository.ts';
import type { ShownGroupGrantsRepository } from './shown-group-grants.repository.ts';

interface Dependencies {
  db: Database;
  access: OrganizationAccess;
  places: Pick<GrantsRepository, 'findPlace' | 'holdPlace'>;
  repository: ProvidersRepository;
  providers: Providers;
  client: ProviderClient;
  identities: IdentitiesRepository;
  rules: GroupGrantsRepository;
  shownRules: ShownGroupGrantsRepository;
  givenByGroups: GivenByGroups;
  rateLimiter: RateLimiter;
  events: Events;
  recordAudit: RecordAuditEvent;
  /** OIDC_PRIVATE. */
  allowsPrivate: boolean;
  isAvailable: boolean;
  redirectUriOf(organizationId: string | undefined): string;
  publicUrl: string;
}

const permission = 'sign_in.manage';
/** Each does all the work of a table that is set. */
const previewsPerMinute = 30;

const toShown = ({ organizationId: _, clientSecret: __, ...provider }: StoredProvider): IdentityProvider =>
  provider;

/** Ends a transaction without anything that was done in it. */
class WhatIf extends Error {
  override readonly name = 'WhatIf';
}

/** How people sign in to an organization: its owners say so. */
export function createSignInSettingsService(dependencies: Dependencies) {
  const { db, access, repository, providers, client, rules, shownRules, events, recordAudit } = dependencies;

  async function show(organizationId: string): Promise<SignInSettings> {
    const [stored, requirement] = await Promise.all([
      repository.get(organizationId),
      repository.getRequirement(db, organizationId),
    ]);
    return {
      provider: stored ? toShown(stored) : null,
      redirectUri: dependencies.redirectUriOf(organizationId),
      signInUrl: `${dependencies.publicUrl}/login/organization/${organizationId}`,
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
    async get(principal: Principal, organizationId: string): Promise<SignInSettings> {
      await access.require(principal, organizationId, permission);
      return show(organizationId);
    },

    async setProvider(
      principal: Principal,
      organizationId: string,
      request: SetIdentityProviderRequest,
      address: string,
    ): Promise<SignInSettings> {
      await access.require(principal, organizationId, permission);
      if (!dependencies.isAvailable) throw new DomainError('sign_in_needs_https');
      requireAddress(request.issuer);
      const before = await repository.get(organizationId);
      const kept = before?.issuer === request.issuer ? providers.open(before)?.clientSecret : undefined;
      const clientSecret = request.clientSecret ?? kept;
      if (clientSecret === undefined)
        throw new FieldError('clientSecret', before ? 'provider_secret' : 'required');
      const limit = { key: ['provider examined', organizationId], limit: 30, window: 3600 };
      await dependencies.rateLimiter.require([limit]);
      const { name, issuer, clientId, scopes, groupsClaim, secondFactorAcr } = request;
      const provider = { name, issuer, clientId, scopes, groupsClaim, secondFactorAcr };
      const outcome = await client.examine({ ...provider, organizationId, clientSecret, trustsEmail: false });
      if (outcome !== 'found') {
        throw new FieldError(
          'issuer',
          outcome === 'unreachable' ? 'provider_unreachable' : 'provider_issuer',
        );
      }
      await access.change(principal, organizationId, permission, async (transaction, organization) => {
        const encrypted = providers.encryptSecret(organizationId, clientSecret);
        await repository.set(transaction, { ...provider, organizationId, clientSecret: encrypted });
        // Whoever signed in by another one has to sign in by this.
        await dependencies.identities.deleteOfOrganization(transaction, organizationId, issuer);
        // Nor do groups of the installation's provider count any more.
        await dependencies.givenByGroups.apply(transaction, { organizationId }, { address, provider });
        const details = { provider: name, issuer };
        const { userId } = principal;
        const event = { action: 'sign_in.provider_set', userId, organizationId, address, details } as const;
        await recordAudit({ ...event, subject: organization.name }, transaction);
      });
      events.publish('accessEnded', { organizationId });
      return show(organizationId);
    },

    async deleteProvider(principal: Principal, organizationId: string, address: string): Promise<void> {
      await access.change(principal, organizationId, permission, async (transaction, organization) => {
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
        const { userId } = principal;
        const details = { provider: name };
        const event = {
          action: 'sign_in.provider_deleted',
          userId,
          organizationId,
          address,
          details,
        } as const;
        await recordAudit({ ...event, subject: organization.name }, transaction);
      });
      events.publish('accessEnded', { organizationId });
    },

    async require(
      principal: Principal,
      organizationId: string,
      { isRequired, breakGlassOwner }: { isRequired: boolean; breakGlassOwner?: string | undefined },
      address: string,
    ): Promise<SignInSettings> {
      await access.change(principal, organizationId, permission, async (transaction, organization) => {
        const hasProvider = providers.own || (await repository.get(organizationId, transaction));
        if (isRequired && !hasProvider) throw new DomainError('provider_not_found');
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
        const { userId } = principal;
        const action = isRequired ? 'sign_in.required' : 'sign_in.not_required';
        const event = { action, userId, organizationId, subject: organization.name, address } as const;
        await recordAudit(
          { ...event, ...(owner === undefined ? {} : { details: { user: owner.email } }) },
          transaction,
        );
      });
      events.publish('accessEnded', { organizationId });
      return show(organizationId);
    },

    async getRules(principal: Principal, organizationId: string): Promise<{ rules: ShownGroupGrant[] }> {
      await access.require(principal, organizationId, permission);
      return { rules: await shownRules.listRules(db, organizationId) };
    },

    /** Does it all, looks at what has come of it, and takes it back. */
    async previewRules(
      principal: Principal,
      organizationId: string,
      asked: readonly GroupGrant[],
    ): Promise<GroupGrantsPreview> {
      await access.require(principal, organizationId, permission);
      const limit = { key: ['group grants preview', organizationId], limit: previewsPerMinute, window: 60 };
      await dependencies.rateLimiter.require([limit]);
      const found = await requirePlaces(organizationId, asked);
      let preview: GroupGrantsPreview = { people: [], unknownGroups: [] };
      try {
        await access.change(principal, organizationId, permission, async (transaction) => {
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
      principal: Principal,
      organizationId: string,
      asked: readonly GroupGrant[],
      address: string,
    ): Promise<{ rules: ShownGroupGrant[] }> {
      await access.require(principal, organizationId, permission);
      const found = await requirePlaces(organizationId, asked);
      const provider = (await providers.find(organizationId)) ?? providers.own;
      await access.change(principal, organizationId, permission, async (transaction, organization) => {
        await replaceRules(transaction, organizationId, found);
        await dependencies.givenByGroups.apply(transaction, { organizationId }, { address, provider });
        const { userId } = principal;
        const details = { count: found.length };
        const event = { action: 'sign_in.groups_changed', userId, organizationId, address, details } as const;
        await recordAudit({ ...event, subject: organization.name }, transaction);
      });
      events.publish('accessEnded', { organizationId });
      return { rules: await shownRules.listRules(db, organizationId) };
    },
  };
}
export type SignInSettingsService = ReturnType<typeof createSignInSettingsService>;
