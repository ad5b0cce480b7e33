import { type GrantRole, limits } from '@pult/contract';
import { type RawBuilder, sql } from 'kysely';
import { isGrantLive } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { holdOrganizations } from './held-organizations.repository.ts';

/** A rule of the table, as the database names its place. */
export interface StoredGroupGrant {
  id: string;
  group: string;
  groupId: string | null;
  controllerId: string | null;
  role: GrantRole;
}

/** A right that came or went by a provider's groups. */
export interface ChangedGrant {
  organizationId: string;
  userId: string;
  /** Of the account. */
  email: string;
  place: string;
  role: GrantRole;
  isGone: boolean;
}

/** The name of the place of the row of `changed`. */
const placeName = sql`coalesce(
  (select name from groups where groups.id = changed.group_id),
  (select serial_number from controllers where controllers.id = changed.controller_id),
  (select name from organizations where organizations.id = changed.organization_id))`;

const changedColumns = sql`
  changed.organization_id as "organizationId", changed.subject_user_id as "userId",
  (select email from users where users.id = changed.subject_user_id) as email,
  ${placeName} as place, changed.role`;

/** SQL of what groups at identity providers give. `openTo`: OIDC_GROUPS_FOR. */
export function createGroupGrantsRepository(openTo: readonly string[]) {
  /**
   * The groups of the row of `identities` count for an organization. Those at the installation's provider only where the person
   * belongs there without them: its owner would learn of anybody which groups they are in, and draw them in unasked.
   */
  const countsFor = (organization: RawBuilder<unknown>) => sql<boolean>`(
    identities.organization_id = ${organization}
    or (identities.organization_id is null
      and not exists (select from identity_providers where identity_providers.organization_id = ${organization})
      and (${organization} = any(${[...openTo]}::uuid[])
        or exists (select from memberships
          where memberships.user_id = identities.user_id and memberships.organization_id = ${organization})
        or exists (select from grants
          where grants.subject_user_id = identities.user_id and grants.organization_id = ${organization}
            and grants.identity_id is null and ${isGrantLive}))))`;

  /** Organizations in which an identity has something by its groups, or would get it. */
  const reachedBy = (identityId: string) => sql`
    select rules.organization_id from identities
    join group_grants rules on rules.group_name = any(identities.groups)
      and ${countsFor(sql.ref('rules.organization_id'))}
    where identities.id = ${identityId}
    union select organization_id from grants where identity_id = ${identityId}`;

  return {
    async replaceRules(
      transaction: DatabaseTransaction,
      organizationId: string,
      rules: readonly StoredGroupGrant[],
    ): Promise<void> {
      await transaction.deleteFrom('group_grants').where('organization_id', '=', organizationId).execute();
      if (rules.length === 0) return;
      await transaction
        .insertInto('group_grants')
        .values(
          rules.map(({ id, group, groupId, controllerId, role }) => ({
            id,
            organization_id: organizationId,
            group_name: group,
            group_id: groupId,
            controller_id: controllerId,
            role,
          })),
        )
        .execute();
    },

    /**
     * Gives people what the tables say for their groups, and takes what these no longer give; all until an hour after their provider
     * has said so. Of one identity, or of all that count for an organization. `isWhatIf`: also of those
     * whose time is over. Nobody and no organization gets more than they may have (see putGrant): what is beyond stays out until
     * there is room. Answers what has changed. Whoever asks for all of an organization holds it (see lockOrganization).
     */
    async apply(
      transaction: DatabaseTransaction,
      which: { identityId: string } | { organizationId: string },
      { seconds, isWhatIf = false }: { seconds: number; isWhatIf?: boolean },
    ): Promise<ChangedGrant[]> {
      const isOne = 'identityId' in which;
      // Rules that somebody changes meanwhile would leave behind what they gave.
      const held = isOne
        ? await holdOrganizations(transaction, reachedBy(which.identityId))
        : [which.organizationId];
      const identity = isOne ? sql`identities.id = ${which.identityId}` : sql`true`;
      const end = sql`(identities.checked_at + make_interval(secs => ${seconds}))`;
      const isFresh = isWhatIf ? sql`true` : sql`${end} > now()`;
      // What is over takes no room; in a preview, what groups gave to those who would come again does.
      const takesRoom = isWhatIf ? sql`(${isGrantLive} or grants.identity_id is not null)` : isGrantLive;
      const wanted = sql`
        select identities.id as identity_id, identities.user_id, rules.organization_id, rules.group_id,
          rules.controller_id, ${end} as ends_at,
          (array_agg(rules.role order by array_position(array['viewer', 'member', 'admin'], rules.role) desc))[1] as role
        from identities join group_grants rules on rules.group_name = any(identities.groups)
            and ${countsFor(sql.ref('rules.organization_id'))}
        where ${identity} and rules.organization_id = any(${held}::uuid[]) and ${isFresh}
          and (rules.group_id is null or exists (select from groups
            where groups.id = rules.group_id and groups.organization_id = rules.organization_id))
        group by identities.id, rules.organization_id, rules.group_id, rules.controller_id`;
      const givenBy = isOne ? sql`= ${which.identityId}` : sql`is not null`;
      const given = sql`grants.identity_id ${givenBy} and grants.organization_id = any(${held}::uuid[])`;
      const { rows: gone } = await sql<ChangedGrant>`
        with wanted as (${wanted}), changed as (
          delete from grants where ${given} and not exists (select from wanted
            where wanted.identity_id = grants.identity_id and wanted.organization_id = grants.organization_id
              and wanted.group_id is not distinct from grants.group_id
              and wanted.controller_id is not distinct from grants.controller_id
              and wanted.role = grants.role)
          returning grants.*)
        select ${changedColumns}, true as "isGone" from changed`.execute(transaction);
      const { rows: added } = await sql<ChangedGrant>`
        with wanted as (${wanted}), ranked as (
          select wanted.*, grants.id is not null as is_there, row_number() over (
            partition by wanted.organization_id, wanted.user_id, grants.id is null
            order by wanted.identity_id, wanted.group_id, wanted.controller_id) as nth
          from wanted left join grants on grants.identity_id = wanted.identity_id
            and grants.organization_id = wanted.organization_id
            and grants.group_id is not distinct from wanted.group_id
            and grants.controller_id is not distinct from wanted.controller_id
            and ${takesRoom}
        ), of_subjects as (
          select ranked.*, row_number() over (partition by organization_id, is_there order by user_id, nth) as nth_of_all
          from ranked
          where is_there or nth <= ${limits.grantsPerSubject} - (select count(*) from grants
            where grants.subject_user_id = ranked.user_id and grants.organization_id = ranked.organization_id
              and ${takesRoom})
        ), taken as (
          select organization_id, count(*) from grants
          where organization_id in (select organization_id from of_subjects) and ${takesRoom} group by organization_id
        ), changed as (
          insert into grants as known
            (id, organization_id, subject_user_id, group_id, controller_id, role, ends_at, identity_id, created_at)
          select gen_random_uuid(), organization_id, user_id, group_id, controller_id, role, ends_at, identity_id, now()
          from of_subjects left join taken using (organization_id)
          where is_there or nth_of_all <= ${limits.grantsPerOrganization} - coalesce(taken.count, 0)
          on conflict (subject_user_id, organization_id, group_id, controller_id, identity_id)
            do update set ends_at = excluded.ends_at
          returning known.*, xmax = 0 as is_new)
        select ${changedColumns}, false as "isGone" from changed where is_new`.execute(transaction);
      return [...gone, ...added];
    },

    /** People whose groups count for an organization. */
    listPeople: (executor: Database | DatabaseTransaction, organizationId: string) =>
      executor
        .selectFrom('identities')
        .innerJoin('users', 'users.id', 'identities.user_id')
        .select(['identities.id', 'users.email', 'identities.groups'])
        .where(countsFor(sql`${organizationId}::uuid`))
        .orderBy('users.email')
        .orderBy('identities.id')
        .execute(),
  };
}
export type GroupGrantsRepository = ReturnType<typeof createGroupGrantsRepository>;
