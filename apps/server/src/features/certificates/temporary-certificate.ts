import { webcrypto } from 'node:crypto';
import type { TlsPair } from '../../platform/http/tls-files.ts';

const daysOfLife = 30;

/**
 * A certificate that nobody trusts, until the authority gives the first one: without any, TLS could not begin, by which the authority
 * looks at the server. Of the type that the authority's have.
 */
export async function createTemporaryCertificate(
  hosts: readonly string[],
  name = 'temporary certificate of Pult',
): Promise<TlsPair> {
  const x509 = await import('@peculiar/x509');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const now = Date.now();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      // Of Node's types, which are not those of the browser in all their parts.
      keys: keys as Parameters<typeof x509.X509CertificateGenerator.createSelfSigned>[0]['keys'],
      signingAlgorithm: algorithm,
      name: [{ CN: [name] }],
      notBefore: new Date(now - 3_600_000),
      notAfter: new Date(now + daysOfLife * 24 * 3_600_000),
      extensions: [new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns', value })))],
    },
    webcrypto as Parameters<typeof x509.X509CertificateGenerator.createSelfSigned>[1],
  );
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.replace(/(.{64})/g, '$1\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
  return { cert: `${certificate.toString('pem')}\n`, key };
}
