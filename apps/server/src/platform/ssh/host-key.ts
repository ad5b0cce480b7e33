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

function readRaw(key: KeyObject, part: 'd' | 'x'): Buffer {
  return Buffer.from(key.export({ format: 'jwk' })[part] ?? '', 'base64url');
}

/** An Ed25519 key in OpenSSH's own format, the only one in which ssh2 reads such a key (PROTOCOL.key of OpenSSH). */
export function readHostKey(privateKey: KeyObject): ParsedKey {
  const publicPart = readRaw(createPublicKey(privateKey), 'x');
  const blob = Buffer.concat([string(type), string(publicPart)]);
  const check = randomBytes(4);
  const secret = Buffer.concat([
    check,
    check,
    blob,
    string(Buffer.concat([readRaw(privateKey, 'd'), publicPart])),
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
