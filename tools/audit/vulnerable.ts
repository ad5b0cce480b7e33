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
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
});
type Event = z.infer<typeof event>;

const record = z.object({
  id: z.string(),
  summary: z.string().default(''),
  withdrawn: z.string().optional(),
  database_specific: z.object({ severity: z.string().default('') }).optional(),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
        versions: z.array(z.string()).default([]),
        ranges: z.array(z.object({ type: z.string(), events: z.array(event) })).default([]),
      }),
    )
    .default([]),
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
    const ofNpm = affected.filter((each) => each.package?.ecosystem === 'npm');
    if (ofNpm.length > 0) records += 1;
    if (withdrawn !== undefined) continue;
    for (const each of ofNpm) {
      for (const locked of byName.get(each.package?.name ?? '') ?? []) {
        const isAffected =
          each.versions.includes(locked.version) ||
          each.ranges.some(({ type, events }) => type !== 'GIT' && isInside(locked.version, events));
        if (!isAffected) continue;
        const key = `${locked.name} ${locked.version} ${id}`;
        const isDev = locked.isDev && (found.get(key)?.isDev ?? true);
        found.set(key, { ...locked, isDev, id, summary, severity: own?.severity ?? '' });
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

/** The last event at or before the version tells; `last_affected` ends behind its version. */
function isInside(version: string, events: readonly Event[]): boolean {
  const reached = events
    .flatMap(({ introduced, fixed, last_affected }) => [
      ...(introduced === undefined ? [] : [{ at: introduced === '0' ? '0.0.0-0' : introduced, opens: true }]),
      ...(fixed === undefined ? [] : [{ at: fixed, opens: false }]),
      ...(last_affected === undefined || semver.lte(version, last_affected)
        ? []
        : [{ at: last_affected, opens: false }]),
    ])
    .filter(({ at }) => semver.lte(at, version))
    .sort((one, other) => semver.compare(one.at, other.at) || Number(one.opens) - Number(other.opens));
  return reached.at(-1)?.opens ?? false;
}
