/**
 * Puts the demo's fleet into the database of the running server: `demo-seed.ts <data folder> <size> <email>`. What is there
 * already stays as it is, so that a second start keeps what people have changed and brings back what they deleted.
 */

import { createHash } from 'node:crypto';
import { type Database, openDatabase } from '@pult/server/database';
import { createFleet, type SimulatedController } from '../apps/demo/src/fleet.ts';
import { readFleetSecret } from '../apps/demo/src/fleet-secret.ts';

const minute = 60_000;
/** An organization of its own name: the server gives the first one its own. */
const organizationName = 'Aurora Facilities';
const serverName = 'Pult';

/** The same thing has the same id at every start. */
function idOf(...names: string[]): string {
  const hash = createHash('sha256').update(names.join('\0')).digest();
  hash.writeUInt8(((hash[6] ?? 0) & 0x0f) | 0x80, 6);
  hash.writeUInt8(((hash[8] ?? 0) & 0x3f) | 0x80, 8);
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

async function findOrganization(db: Database, email: string): Promise<string> {
  const { id } = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('memberships.organization_id as id')
    .where('users.email', '=', email)
    .orderBy('memberships.organization_id')
    .executeTakeFirstOrThrow();
  return id;
}

async function nameOrganization(db: Database, id: string): Promise<void> {
  const name = organizationName;
  await db
    .updateTable('organizations')
    .set({ name })
    .where('id', '=', id)
    .where('name', '=', serverName)
    .execute();
}

/** The server has made the organization and its owner a minute ago: what they have is older. */
async function makeOlder(db: Database, organization: string, email: string, since: Date): Promise<void> {
  const made = { created_at: since };
  await db
    .updateTable('organizations')
    .set(made)
    .where('id', '=', organization)
    .where('created_at', '>', since)
    .execute();
  await db
    .updateTable('users')
    .set(made)
    .where('email', '=', email)
    .where('created_at', '>', since)
    .execute();
  await db
    .updateTable('memberships')
    .set({ joined_at: since })
    .where('organization_id', '=', organization)
    .where('user_id', 'in', (users) => users.selectFrom('users').select('id').where('email', '=', email))
    .where('joined_at', '>', since)
    .execute();
}

async function addGroups(
  db: Database,
  organization_id: string,
  paths: readonly (readonly string[])[],
  created_at: Date,
) {
  const groups = new Map<string, readonly string[]>();
  for (const path of paths) {
    for (let level = 1; level <= path.length; level += 1) {
      const above = path.slice(0, level);
      groups.set(idOf(organization_id, ...above), above);
    }
  }
  // A group that was moved or renamed meanwhile keeps its id; one in its old place keeps its name.
  for (const [id, path] of [...groups].sort(([, one], [, two]) => one.length - two.length)) {
    const parent_id = path.length > 1 ? idOf(organization_id, ...path.slice(0, -1)) : null;
    const name = path.at(-1) ?? '';
    await db
      .insertInto('groups')
      .values({ id, organization_id, parent_id, name, created_at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

async function addControllers(db: Database, organization_id: string, fleet: readonly SimulatedController[]) {
  const now = Date.now();
  const before = (minutes: number) => new Date(now - minutes * minute);
  const known = await db
    .selectFrom('groups')
    .select('id')
    .where('organization_id', '=', organization_id)
    .execute();
  const groups = new Set(known.map(({ id }) => id));
  for (const controller of fleet) {
    const { serialNumber, publicKey, state, coordinates, groupPath } = controller;
    const reported = {
      serial_number: serialNumber,
      model: controller.model,
      firmware_version: controller.firmwareVersion,
      agent_version: 'simulated',
    };
    const activated_at = before(controller.activatedAgo);
    const lastSeen = before(Math.min(controller.lastSeenAgo, controller.activatedAgo));
    const enrolment_id = idOf(organization_id, 'enrolment', serialNumber);
    await db
      .insertInto('enrolments')
      .values({
        id: enrolment_id,
        handle: createHash('sha256').update(enrolment_id).digest().subarray(0, 5),
        public_key: publicKey,
        created_at: activated_at,
        last_seen_at: lastSeen,
        ...reported,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const group = idOf(organization_id, ...groupPath);
    await db
      .insertInto('controllers')
      .values({
        id: idOf(organization_id, 'controller', serialNumber),
        organization_id,
        enrolment_id,
        group_id: groups.has(group) ? group : null,
        description: controller.description,
        ...(coordinates ?? {}),
        // Nobody is online before it has a link: that is for the server to say.
        status: state === 'never' ? 'never' : 'offline',
        status_reason: state === 'never' ? 'never_seen' : 'link',
        status_since: state === 'never' ? activated_at : lastSeen,
        last_seen_at: state === 'never' ? null : lastSeen,
        activated_at,
        ...reported,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The organization's administrator is told of whoever is away for five minutes. One that was deleted comes back. */
async function addAlertRule(db: Database, organization_id: string, email: string) {
  const id = idOf(organization_id, 'alert rule');
  const dayAgo = new Date(Date.now() - 24 * 60 * minute);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('alert_rules')
    .values({
      id,
      organization_id,
      group_id: null,
      enabled: true,
      minutes: 5,
      effective_from: dayAgo,
      created_at: dayAgo,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return;
  const { id: user_id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  await db.insertInto('alert_rule_members').values({ rule_id: id, organization_id, user_id }).execute();
}

const [dataDir = '', size = '', email = ''] = process.argv.slice(2);
const { db: database, close } = await openDatabase(dataDir);
await database.transaction().execute(async (db) => {
  const organization = await findOrganization(db, email);
  await nameOrganization(db, organization);
  const fleet = createFleet(await readFleetSecret(dataDir), Number(size));
  const paths = fleet.map(({ groupPath }) => groupPath);
  const oldest = Math.max(...fleet.map(({ activatedAgo }) => activatedAgo));
  const since = new Date(Date.now() - (oldest + 24 * 60) * minute);
  await makeOlder(db, organization, email, since);
  await addGroups(db, organization, paths, since);
  await addControllers(db, organization, fleet);
  await addAlertRule(db, organization, email);
});
await close();
