import { expect, it } from 'vitest';
import { compareReleases } from './compare-versions.ts';

it('versions are ordered by their numbers, and a pre-release comes before its release', () => {
  const ordered = ['0.9.10', '0.10.0-rc.1', '0.10.0', '0.10.1', '1.0.0', '10.0.0'];
  const shuffled = [...ordered].reverse();
  expect(shuffled.sort(compareReleases)).toEqual(ordered);
  expect(compareReleases('1.2.3', '1.2.3')).toBe(0);
});
