import { z } from 'zod';
import { AcmeFailure, askAcme, withTransport } from './transport.ts';

/** When the authority would like a certificate to be renewed (RFC 9773). */
export interface RenewalInfo {
  start: Date;
  end: Date;
  /** Before that it wants to be asked no more. */
  askAgainAt: Date | undefined;
}

interface InfoRequest {
  directory: string;
  /** PEM, the certificate first. */
  chain: string;
  /** PEM. */
  ca: string | undefined;
  signal: AbortSignal;
  timeoutMs?: number | undefined;
}

const requestMs = 30_000;
const directorySchema = z.object({ renewalInfo: z.string().optional() });
const date = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const infoSchema = z.object({ suggestedWindow: z.object({ start: date, end: date }) });

/** By which the authority knows a certificate: its issuer's key and its serial number (RFC 9773, section 4.1). */
export async function identifyCertificate(chain: string): Promise<string | undefined> {
  const { AuthorityKeyIdentifierExtension, X509Certificate } = await import('@peculiar/x509');
  const certificate = new X509Certificate(chain);
  const keyId = certificate.getExtension(AuthorityKeyIdentifierExtension)?.keyId;
  if (!keyId) return undefined;
  const bare = Buffer.from(certificate.serialNumber.replace(/^(00)+(?=..)/, ''), 'hex');
  // As DER writes a positive number.
  const serial = (bare[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bare]) : bare;
  return `${Buffer.from(keyId, 'hex').toString('base64url')}.${serial.toString('base64url')}`;
}

const findAddress = async (directory: string) =>
  directorySchema.safeParse((await askAcme(directory)).data).data?.renewalInfo;

/** Within a transport. */
export async function offersRenewalInfo(directory: string): Promise<boolean> {
  return (await findAddress(directory)) !== undefined;
}

/** Undefined by an authority that has none. Rejects where it cannot be asked, or answers nonsense. */
export function readRenewalInfo(request: InfoRequest): Promise<RenewalInfo | undefined> {
  const { directory, chain, ca, signal, timeoutMs = requestMs } = request;
  return withTransport({ ca, signal, timeoutMs }, async () => {
    const address = await findAddress(directory);
    const id = address === undefined ? undefined : await identifyCertificate(chain);
    if (address === undefined || id === undefined) return undefined;
    const answer = await askAcme(`${address.replace(/\/$/, '')}/${id}`);
    const window = infoSchema.safeParse(answer.data).data?.suggestedWindow;
    if (!window || window.end <= window.start)
      throw new AcmeFailure('its answer names no time for the renewal', { isNonsense: true });
    return { ...window, askAgainAt: answer.retryAt };
  });
}
