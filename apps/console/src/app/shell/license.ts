const nearShare = 0.98;

/** `limit` 0 means none. */
export function isLicenseNear(count: number, limit: number): boolean {
  return limit > 0 && count >= limit * nearShare;
}
