import { limits } from '@pult/contract';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { toString as drawQrCode } from 'qrcode';

// RFC 6238 with SHA-1, 6 digits and 30 s, which every authenticator app knows; they are otplib's defaults.
const period = 30;

/** 160 bits in base32. */
export function createTotpSecret(): string {
  return generateSecret();
}

/** What a TOTP secret is encrypted for; in a setup the same as in force. */
export function totpContext(userId: string): string {
  return `totp ${userId}`;
}

/** The time step whose code this is, now or one step to either side; undefined for a wrong code. */
export function findTotpStep(secret: string, typed: string, now: Date): number | undefined {
  if (typed.length !== limits.totpCodeLength || !/^\d+$/.test(typed)) return undefined;
  const epoch = Math.floor(now.getTime() / 1000);
  const result = verifySync({ secret, token: typed, epoch, period, epochTolerance: period });
  // The type is that of HOTP too, which has no steps.
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** What an authenticator app takes over: as a link, and as a QR code in a data URI. */
export async function describeTotpSetup(secret: string, names: { serviceName: string; email: string }) {
  // A colon parts issuer and account in the label, so neither may hold one.
  const issuer = names.serviceName
    .split(':')
    .map((part) => part.trim())
    .join(' ');
  const uri = generateURI({ issuer, label: names.email.replaceAll(':', ''), secret });
  const svg = await drawQrCode(uri, { type: 'svg', errorCorrectionLevel: 'M' });
  return { secret, uri, qrCode: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
}
