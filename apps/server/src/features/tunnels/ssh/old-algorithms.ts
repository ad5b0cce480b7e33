import type { Algorithms, NegotiatedAlgorithms } from 'ssh2';
import { oneLine } from '../../../platform/one-line.ts';

/** By their names: what OpenSSH does not offer either unless told, and ssh2 knows (RFC 4253, sections 6.3, 6.4, 6.6 and 8; RFC 4419). */
const old = {
  kex: /-sha1$/,
  serverHostKey: /^ssh-dss$/,
  cipher: /^(?:aes\d+|3des)-cbc$/,
  hmac: /^hmac-(?:md5|sha1-96)/,
};

/**
 * Old algorithms behind those of today: both ends take the first of the client's that the server has, so that an old one means that
 * there is no other. ssh2 takes expressions, and of them what its OpenSSL has; its types know names alone.
 */
export const offeredAlgorithms = Object.fromEntries(
  Object.entries(old).map(([kind, append]) => [kind, { append }]),
) as unknown as Algorithms;

/** As ssh2 calls it where it tells of the handshake and where that fails, and as OpenSSH does (`ssh_err`). */
interface Kind {
  offer: string;
  failure: string;
  word: string;
}

const kex: Kind = { offer: 'KEX method', failure: 'key exchange algorithm', word: 'key exchange method' };
const serverHostKey: Kind = { offer: 'Host key format', failure: 'host key format', word: 'host key type' };
const both = (name: string, word: string): [Kind, Kind] => [
  { offer: `C->S ${name}`, failure: `C->S ${name}`, word },
  { offer: `S->C ${name}`, failure: `S->C ${name}`, word },
];
const [cipherOut, cipherIn] = both('cipher', 'cipher');
const [macOut, macIn] = both('MAC', 'MAC');
const compression = both('compression', 'compression method');
const kinds = [kex, serverHostKey, cipherOut, cipherIn, macOut, macIn, ...compression];

/** The old ones of what two ends have agreed on, each once. */
export function listOld({ kex: exchange, serverHostKey: hostKey, cs, sc }: NegotiatedAlgorithms) {
  const all: [RegExp, string, Kind][] = [
    [old.kex, exchange, kex],
    [old.serverHostKey, hostKey, serverHostKey],
    [old.cipher, cs.cipher, cipherOut],
    [old.cipher, sc.cipher, cipherIn],
    [old.hmac, cs.mac, macOut],
    [old.hmac, sc.mac, macIn],
  ];
  const found = new Map<string, Kind>();
  for (const [isOld, name, kind] of all) {
    if (isOld.test(name) && !found.has(name)) found.set(name, kind);
  }
  return [...found].map(([name, kind]) => ({ name, kind }));
}

/** What the device offers, of what ssh2 says of a handshake to its `debug`, and the words of OpenSSH for whom that is not enough. */
export function createOffer() {
  const offers = new Map<string, string>();
  const explain = ({ offer, word }: Kind): string =>
    oneLine(`Unable to negotiate: no matching ${word} found. Their offer: ${offers.get(offer) ?? ''}`);
  return {
    note(line: string): void {
      const [, offer, names] = /^Handshake: \(remote\) ([^:]+): (.*)$/s.exec(line) ?? [];
      if (offer !== undefined && names !== undefined) offers.set(offer, names);
    },
    explain,
    /** Undefined for an error of another kind. */
    explainError({ message }: Error): string | undefined {
      const kind = kinds.find(({ failure }) => message === `Handshake failed: no matching ${failure}`);
      return kind && explain(kind);
    },
  };
}
