import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import ssh2, { type ParsedKey } from 'ssh2';

const type = 'ssh-ed25519';

/** A string of RFC 4251, section 5: its length, its bytes. */
function string(value: Buffer | string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/**
 * Both forms end with the 32 bytes of the key (RFC 8410, sections 4 and 7). Not as JWK: Node.js 20 holds the lock of the key while it
 * makes that, and where memory is collected meanwhile, what has generated the key waits for the same lock, for ever.
 */
const readRaw = (der: Buffer) => der.subarray(-32);

/** An Ed25519 key in OpenSSH's own format, the only one in which ssh2 reads such a key (PROTOCOL.key of OpenSSH). */
export function readHostKey(privateKey: KeyObject): ParsedKey {
  const publicPart = readRaw(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }));
  const privatePart = readRaw(privateKey.export({ type: 'pkcs8', format: 'der' }));
  const blob = Buffer.concat([string(type), string(publicPart)]);
  const check = randomBytes(4);
  const secret = Buffer.concat([
    check,
    check,
    blob,
    string(Buffer.concat([privatePart, publicPart])),
    string(''),
  ]);
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7].slice(0, (8 - (secret.length % 8)) % 8));
  const one = Buffer.from([0, 0, 0, 1]);
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    string('none'),
    string('none'),
    string(''),
    one,
    string(blob),
    string(Buffer.concat([secret, padding])),
  ]);
  const lines = file.toString('base64').match(/.{1,70}/g) ?? [];
  const pem = `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
  const parsed = ssh2.utils.parseKey(pem);
  if (parsed instanceof Error) throw new Error('The SSH host key cannot be used', { cause: parsed });
  return parsed;
}
