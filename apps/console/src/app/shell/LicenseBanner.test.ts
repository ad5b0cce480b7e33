import { expect, test } from 'vitest';
import { isLicenseNear } from './LicenseBanner.tsx';

test('the license is near its limit from 98 % on; 0 is no limit', () => {
  expect(isLicenseNear(97, 100)).toBe(false);
  expect(isLicenseNear(98, 100)).toBe(true);
  expect(isLicenseNear(5000, 0)).toBe(false);
});
