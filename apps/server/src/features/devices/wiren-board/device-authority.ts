import { X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../platform/clock.ts';

/** Who a controller has proven to be. */
export interface DeviceIdentity {
  serialNumber: string;
  /** Of its certificate: SPKI in DER form. */
  publicKey: Buffer;
}

export interface DeviceAuthority {
  /** The controller of a certificate, which may come with its issuer's; undefined where no authority of ours stands behind it. */
  verify(leaf: X509Certificate): DeviceIdentity | undefined;
}

const pemPattern = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const commonNamePattern = /^wirenboard-([A-Za-z0-9]{1,36})$/;
/** clientAuth and anyExtendedKeyUsage. */
const clientPurposes = new Set(['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']);
/** The factory has one, and few ever were. */
const knownIssuers = 16;
/** That our own clock may be slow by: a certificate is no worse for being new. */
const CLOCK_ERROR_MS = 24 * 3600 * 1000;

/** Throws where the text has no certificate in PEM form. */
export function createDeviceAuthority(pem: string, clock: Clock): DeviceAuthority {
  const roots = (pem.match(pemPattern) ?? []).map((text) => new X509Certificate(text));
  if (roots.length === 0) throw new Error('WB_DEVICE_CA has no certificate in PEM form');
  /** Issuers of which a root has signed the very bytes, by their hash: two signatures fewer to check in most calls. */
  const issuers = new LRUCache<string, true>({ max: knownIssuers });

  function isNow({ validFrom, validTo }: X509Certificate): boolean {
    const now = clock.now().getTime();
    return Date.parse(validFrom) - CLOCK_ERROR_MS <= now && now <= Date.parse(validTo);
  }

  const isSignedBy = (certificate: X509Certificate, issuer: X509Certificate) =>
    issuer.ca && isNow(issuer) && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

  const isOfRoot = (certificate: X509Certificate) => roots.some((root) => isSignedBy(certificate, root));

  function isKnownIssuer(issuer: X509Certificate): boolean {
    const name = issuer.fingerprint256;
    if (issuers.has(name)) return true;
    if (!isOfRoot(issuer)) return false;
    issuers.set(name, true);
    return true;
  }

  return {
    verify(leaf) {
      const { issuerCertificate: issuer } = leaf;
      const isOurs = issuer ? isSignedBy(leaf, issuer) && isKnownIssuer(issuer) : isOfRoot(leaf);
      return isOurs && isNow(leaf) && isForClients(leaf) ? readIdentity(leaf) : undefined;
    },
  };
}

/** No authority, and meant for clients of TLS where it says what it is meant for (RFC 5280, section 4.2.1.12). */
function isForClients({ ca, keyUsage }: X509Certificate): boolean {
  // Node's keyUsage is the extended one; its types know no certificate without any.
  const purposes: readonly string[] | undefined = keyUsage;
  return !ca && (purposes === undefined || purposes.some((purpose) => clientPurposes.has(purpose)));
}

/** What a certificate says, whoever has signed it; undefined for one that is no controller's. */
function readIdentity(leaf: X509Certificate): DeviceIdentity | undefined {
  const { CN: name } = leaf.toLegacyObject().subject as { CN?: unknown };
  // Of two names neither would be the one that was verified.
  const [, serial] = (typeof name === 'string' && commonNamePattern.exec(name)) || [];
  if (serial === undefined) return undefined;
  const publicKey = leaf.publicKey.export({ type: 'spki', format: 'der' });
  return { serialNumber: serial.toUpperCase(), publicKey };
}
