import type { ServedCertificate } from '../../platform/http/certificate-metrics.ts';

const warnMs = 14 * 86_400_000;
/** Of its life: what renews itself, at two thirds of it, has been renewed by then, however short it is. */
const warnShare = 1 / 4;

/** Those that end within 14 days, or within the last quarter of a life that is shorter than 56. */
export function listEndingCertificates(all: readonly ServedCertificate[], now: Date): ServedCertificate[] {
  return all.filter(({ validFrom, validUntil }) => {
    const lifeMs = validUntil.getTime() - validFrom.getTime();
    return validUntil.getTime() - now.getTime() < Math.min(warnMs, lifeMs * warnShare);
  });
}
