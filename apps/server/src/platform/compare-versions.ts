/** By number, pre-releases before their release (semver.org, section 11; those of one release count as one). */
export function compareReleases(one: string, other: string): number {
  const [left, right] = [parse(one), parse(other)];
  for (const index of [0, 1, 2, 3]) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parse(version: string): number[] {
  const [release = '', ...rest] = version.split('-');
  return [...release.split('.').map(Number), rest.length > 0 ? 0 : 1];
}
