import ssh2 from 'ssh2';
import { FieldError } from '../../platform/errors.ts';
import { findKeyFault, isServedType } from '../../platform/ssh/public-keys.ts';
import { digestKey } from '../../platform/ssh-fingerprint.ts';

export interface SshPublicKey {
  type: string;
  blob: Buffer;
  digest: Buffer;
}

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----|^PuTTY-User-Key-File-/m;
/** Of ssh-keygen's export and of PuTTYgen (RFC 4716). */
const rfc4716 = /^---- BEGIN SSH2 PUBLIC KEY ----/;
/** The options of an authorized_keys line: no space but within quotes (sshd(8)). */
const options = /^(?:[^\s"]|"(?:\\.|[^"\\])*")+[ \t]+(?=\S)/;
const typeAndKey = /^([a-z0-9@.-]+)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]|$)/;

function refuse(text: 'private' | 'unreadable' | 'unsupported' | 'weak'): never {
  throw new FieldError('publicKey', `ssh_key_${text}`);
}

/** What PuTTYgen saves: headers, some of them over several lines, and the blob. */
function readRfc4716(file: string): string {
  let isHeader = false;
  const body = file
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => {
      const belongs = isHeader || line.includes(':');
      isHeader = belongs && line.endsWith('\\');
      return !belongs && !line.startsWith('----');
    })
    .join('');
  const blob = Buffer.from(body, 'base64');
  const typeLength = blob.length > 4 ? blob.readUInt32BE(0) : 0;
  return `${blob.toString('latin1', 4, 4 + typeLength)} ${body}`;
}

/** The one line that is the key, without options and comment. */
function findKeyLine(pasted: string): string {
  const [line = '', ...more] = pasted.split(/\r?\n/).filter((each) => !/^\s*(#|$)/.test(each));
  if (more.length > 0) return refuse('unreadable');
  for (const candidate of [line.trim(), line.trim().replace(options, '')]) {
    const [, type, key] = typeAndKey.exec(candidate) ?? [];
    if (type === undefined || key === undefined) continue;
    if (isServedType(type)) return `${type} ${key}`;
    // Security keys, certificates, DSA: a key, only none that is served.
    if (/^(?:sk-|ssh-|ecdsa-|webauthn-)/.test(type)) return refuse('unsupported');
  }
  return refuse('unreadable');
}

/**
 * Reads what people paste: the line of a `.pub` file or of authorized_keys, or an RFC 4716 file. Throws a FieldError of
 * `publicKey`. Nothing of a private key that was pasted by mistake is kept.
 */
export function readSshPublicKey(pasted: string): SshPublicKey {
  if (privateKey.test(pasted)) return refuse('private');
  const text = pasted.trim();
  const parsed = ssh2.utils.parseKey(findKeyLine(rfc4716.test(text) ? readRfc4716(text) : text));
  if (parsed instanceof Error) return refuse('unreadable');
  const fault = findKeyFault(parsed);
  if (fault) return refuse(fault);
  const blob = parsed.getPublicSSH();
  return { type: parsed.type, blob, digest: digestKey(blob) };
}
