/** Which packages stand in records of OSV (ossf.github.io/osv-schema), by name and version. */

import semver from 'semver';
import { z } from 'zod';

export interface LockedVersion {
  name: string;
  version: string;
  isDev: boolean;
}

export interface Vulnerable extends LockedVersion {
  id: string;
  severity: string;
  summary: string;
}

const event = z.object({
  introduced: z.string().nullish(),
  fixed: z.string().nullish(),
  last_affected: z.string().nullish(),
  limit: z.string().nullish(),
});
type Event = z.infer<typeof event>;

/** Sources write none as null, too. */
const list = <Item extends z.ZodType>(item: Item) => z.array(item).nullish();

const record = z.object({
  id: z.string(),
  // Shown and no more: whatever else a source has put there is left out.
  summary: z.string().catch(''),
  database_specific: z.object({ severity: z.string().catch('') }).catch({ severity: '' }),
  withdrawn: z.string().nullish(),
  affected: list(
    z.object({
      package: z.object({ ecosystem: z.string(), name: z.string() }).nullish(),
      versions: list(z.string()),
      ranges: list(z.object({ type: z.string(), events: list(event) })),
    }),
  ),
});

/** Told once each, by name. `records`: how many were of this ecosystem. */
export async function findVulnerable(
  packages: readonly LockedVersion[],
  texts: AsyncIterable<{ name: string; text: string }>,
): Promise<{ found: Vulnerable[]; records: number }> {
  const byName = new Map<string, LockedVersion[]>();
  for (const each of packages) byName.set(each.name, [...(byName.get(each.name) ?? []), each]);
  const found = new Map<string, Vulnerable>();
  let records = 0;
  for await (const { name: file, text } of texts) {
    const { id, summary, withdrawn, affected, database_specific: own } = readRecord(file, text);
    const ofNpm = (affected ?? []).filter((each) => each.package?.ecosystem === 'npm');
    if (ofNpm.length > 0) records += 1;
    if (withdrawn != null) continue;
    for (const each of ofNpm) {
      for (const locked of byName.get(each.package?.name ?? '') ?? []) {
        const isAffected =
          each.versions?.includes(locked.version) ||
          each.ranges?.some(({ type, events }) => type !== 'GIT' && isInside(locked.version, events ?? []));
        if (!isAffected) continue;
        const key = `${locked.name} ${locked.version} ${id}`;
        const isDev = locked.isDev && (found.get(key)?.isDev ?? true);
        found.set(key, { ...locked, isDev, id, summary, severity: own.severity });
      }
    }
  }
  return {
    records,
    found: [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each),
  };
}

function readRecord(file: string, text: string): z.infer<typeof record> {
  try {
    return record.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is no record of OSV`, { cause: error });
  }
}

/** The last event at or before the version tells; `last_affected` ends behind its version, and nothing is inside from every `limit` on. */
function isInside(version: string, events: readonly Event[]): boolean {
  const marks: { kind: string; at: semver.SemVer }[] = [];
  for (const [kind, text] of events.flatMap((each) => Object.entries(each))) {
    if (text == null || text === '*') continue;
    const at = readVersion(text);
    // Somebody has to look at it.
    if (!at) return true;
    marks.push({ kind, at });
  }
  const limits = marks.filter(({ kind }) => kind === 'limit');
  if (limits.length > 0 && limits.every(({ at }) => semver.gte(version, at))) return false;
  const reached = marks
    .filter(
      ({ kind, at }) => kind !== 'limit' && semver.compare(at, version) < (kind === 'last_affected' ? 0 : 1),
    )
    .sort((one, other) => semver.compare(one.at, other.at) || Number(opens(one)) - Number(opens(other)));
  const last = reached.at(-1);
  return last !== undefined && opens(last);
}

const opens = ({ kind }: { kind: string }) => kind === 'introduced';

/** Sources write `0`, `1.2` and `v1.2.3`, too. Undefined where it is none. */
function readVersion(text: string): semver.SemVer | undefined {
  if (text === '0') return new semver.SemVer('0.0.0-0');
  return semver.parse(text, { loose: true }) ?? semver.coerce(text, { includePrerelease: true }) ?? undefined;
}
