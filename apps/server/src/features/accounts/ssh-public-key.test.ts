import { generateKeyPairSync } from 'node:crypto';
import ssh2 from 'ssh2';
import { describe, expect, it } from 'vitest';
import { FieldError } from '../../platform/errors.ts';
import { fingerprintOf } from '../../platform/ssh-fingerprint.ts';
import { readSshPublicKey } from './ssh-public-key.ts';

// Made by ssh-keygen for these tests; the fingerprint is what it showed.
const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPqZk4pv0gYrqrX4a39ClZwCPzpsT6Vlb7fqPAYbUdzx';

function string(value: Buffer | string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(value));
  return Buffer.concat([length, Buffer.from(value)]);
}
const write = (type: string, ...parts: (Buffer | string)[]) =>
  `${type} ${Buffer.concat([string(type), ...parts.map(string)]).toString('base64')}`;

function makeRsa(bits: number): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const zero = Buffer.alloc(1);
  return write('ssh-rsa', Buffer.from(e, 'base64url'), Buffer.concat([zero, Buffer.from(n, 'base64url')]));
}

function refusalOf(pasted: string): string {
  try {
    readSshPublicKey(pasted);
  } catch (error) {
    if (error instanceof FieldError) return error.text;
    throw error;
  }
  return 'none';
}

describe('reads', () => {
  it.each([
    ['a bare key', line],
    ['a line of a .pub file', `${line} me@laptop\n`],
    ['a comment in Russian, of several words', `${line} рабочий ноутбук 2026`],
    ['Windows line ends and blank lines', `\r\n${line} me@laptop\r\n\r\n`],
    ['a line of authorized_keys with options', `no-pty,from="10.0.0.0/8, 192.168.0.1" ${line} me`],
    ['options that quote another key', `command="echo ssh-ed25519 AAAA \\"x\\"" ${line}`],
    ['a comment line before it', `# my key\n${line}`],
  ])('%s', (_, pasted) => {
    const { type, blob } = readSshPublicKey(pasted);
    expect(`${type} ${blob.toString('base64')}`).toBe(line);
    expect(fingerprintOf(blob)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  });

  it('the file that PuTTYgen saves', () => {
    const body = line.split(' ')[1] ?? '';
    const file = [
      '---- BEGIN SSH2 PUBLIC KEY ----',
      'Comment: "eddsa-key-2026 \\',
      'of: mine"',
      body.slice(0, 64),
      body.slice(64),
      '---- END SSH2 PUBLIC KEY ----',
    ];
    expect(readSshPublicKey(`${file.join('\r\n')}\r\n`).blob.toString('base64')).toBe(body);
  });

  it.each([256, 384, 521] as const)('ECDSA keys of %i bits', (bits) => {
    const pair = ssh2.utils.generateKeyPairSync('ecdsa', { bits });
    expect(readSshPublicKey(pair.public).type).toBe(`ecdsa-sha2-nistp${bits}`);
  });

  it('RSA keys from 2048 bits', () => {
    expect(readSshPublicKey(makeRsa(2048)).type).toBe('ssh-rsa');
  });
});

describe('refuses', () => {
  it.each([
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----',
    '  \n-----BEGIN RSA PRIVATE KEY-----\nMIIE',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN ENCRYPTED PRIVATE KEY-----',
    'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none',
  ])('a private key by a text of its own (%#)', (pasted) => {
    expect(refusalOf(pasted)).toBe('ssh_key_private');
  });

  it('RSA keys of less than 2048 bits', () => {
    expect(refusalOf(makeRsa(1024))).toBe('ssh_key_weak');
  });

  it.each([
    ['DSA', 'ssh-dss AAAAB3NzaC1kc3MAAACBAP'],
    ['security keys', 'sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29t'],
    ['certificates', 'ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1lZDI1NTE5LWNlcnQ'],
  ])('%s', (_, pasted) => {
    expect(refusalOf(pasted)).toBe('ssh_key_unsupported');
  });

  it.each([
    ['nothing', ' '],
    ['words', 'my key'],
    ['a truncated key', line.slice(0, 60)],
    ['two keys', `${line}\n${makeRsa(2048)}`],
    ['a point that is on no curve', write('ecdsa-sha2-nistp256', 'nistp256', Buffer.alloc(65, 4))],
    ['a key of another type than it says', line.replace('ssh-ed25519', 'ssh-rsa')],
    ['a PEM file', '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----'],
  ])('%s', (_, pasted) => {
    expect(refusalOf(pasted)).toMatch(/^ssh_key_un/);
  });

  it('a pattern that would keep a regular expression busy, in no time', () => {
    const started = performance.now();
    for (const pasted of [
      '"'.repeat(16_000),
      `${'a"b"'.repeat(4_000)} `,
      'a'.repeat(16_000),
      `${'"\\'.repeat(8_000)}`,
    ]) {
      expect(refusalOf(pasted)).toBe('ssh_key_unreadable');
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
