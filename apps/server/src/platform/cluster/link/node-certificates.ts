import { createECDH, hkdfSync, randomBytes, webcrypto } from 'node:crypto';
import type { X509CertificateGenerator } from '@peculiar/x509';

/** What a node shows to others, and by what it knows them. PEM texts. */
export interface NodeIdentity {
  ca: string;
  cert: string;
  key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const authorityName = [{ CN: ['nodes of this Pult'] }];
/** Trust ends with the secrets, or with the process that alone has the key: not by a date. */
const notBefore = new Date('2020-01-01T00:00:00Z');
const notAfter = new Date('2049-12-31T00:00:00Z');

/** The same key on every node, and no other one: a number below the order of the curve. */
function derivePrivateKey(material: Buffer): webcrypto.JsonWebKey {
  for (let attempt = 0; ; attempt += 1) {
    const d = Buffer.from(hkdfSync('sha256', material, '', `authority of nodes ${attempt}`, 32));
    const ecdh = createECDH('prime256v1');
    try {
      ecdh.setPrivateKey(d);
    } catch {
      continue; // once in 2^32
    }
    const point = ecdh.getPublicKey();
    const part = (from: number, to: number) => point.subarray(from, to).toString('base64url');
    return { kty: 'EC', crv: 'P-256', d: d.toString('base64url'), x: part(1, 33), y: part(33, 65) };
  }
}

/** As the library wants them, whose types are those of the browser. */
type Create = Parameters<typeof X509CertificateGenerator.create>;
type LibraryKey = Create[0]['publicKey'] & CryptoKeyLike;
type CryptoKeyLike = webcrypto.CryptoKey;

/**
 * The authority of the nodes is a key derived from the secrets that all of them share: whoever does not know them can make no
 * certificate of a node. A node makes its own at each start, under its id.
 */
export async function createNodeIdentity(material: Buffer, nodeId: string): Promise<NodeIdentity> {
  const x509 = await import('@peculiar/x509');
  const { subtle } = webcrypto;
  const jwk = derivePrivateKey(material);
  const { d: _, ...publicJwk } = jwk;
  const authorityKey = await subtle.importKey('jwk', jwk, algorithm, true, ['sign']);
  const authorityPublic = await subtle.importKey('jwk', publicJwk, algorithm, true, ['verify']);
  const own = await subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const create = async (options: {
    subject: typeof authorityName;
    publicKey: webcrypto.CryptoKey;
    isAuthority: boolean;
  }) => {
    const certificate = await x509.X509CertificateGenerator.create(
      {
        serialNumber: options.isAuthority ? '01' : randomBytes(16).toString('hex'),
        subject: options.subject,
        issuer: authorityName,
        notBefore,
        notAfter,
        publicKey: options.publicKey as LibraryKey,
        signingKey: authorityKey as LibraryKey,
        signingAlgorithm: algorithm,
        extensions: [
          new x509.BasicConstraintsExtension(options.isAuthority, options.isAuthority ? 0 : undefined, true),
          new x509.KeyUsagesExtension(
            options.isAuthority ? x509.KeyUsageFlags.keyCertSign : x509.KeyUsageFlags.digitalSignature,
            true,
          ),
        ],
      },
      webcrypto as unknown as Create[1],
    );
    return `${certificate.toString('pem')}\n`;
  };
  const ca = await create({ subject: authorityName, publicKey: authorityPublic, isAuthority: true });
  const cert = await create({ subject: [{ CN: [nodeId] }], publicKey: own.publicKey, isAuthority: false });
  const pkcs8 = Buffer.from(await subtle.exportKey('pkcs8', own.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
  return { ca, cert, key };
}
