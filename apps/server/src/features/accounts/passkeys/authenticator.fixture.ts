import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>;

const head = (major: number, value: number): Buffer =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);

/** As much of CBOR (RFC 8949) as an authenticator writes. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, each]) => [encode(key), encode(each)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');

interface Answer {
  origin: string;
  rpId?: string;
  /** A finger, a PIN; presence alone without it. */
  isUserVerified?: boolean;
}

/** A security key in software, of one credential, with a browser around it (Web Authentication Level 3). */
export class TestAuthenticator {
  readonly credentialId = randomBytes(32);
  readonly privateKey: KeyObject;
  counter = 0;
  private readonly publicKey: Buffer;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.privateKey = privateKey;
    // COSE: EC2, ES256, P-256 (RFC 9053, section 7.1.1).
    this.publicKey = encode(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
  }

  private authenticatorData({ origin, rpId, isUserVerified = false }: Answer, attested = Buffer.alloc(0)) {
    this.counter += 1;
    const rest = Buffer.alloc(5);
    rest[0] = 1 | (isUserVerified ? 4 : 0) | (attested.length > 0 ? 64 : 0);
    rest.writeUInt32BE(this.counter, 1);
    return Buffer.concat([sha256(rpId ?? new URL(origin).hostname), rest, attested]);
  }

  private clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  private credential<Response>(response: Response) {
    const id = base64url(this.credentialId);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  /** As `navigator.credentials.create` answers. */
  create({ challenge }: { challenge: string }, answer: Answer) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.publicKey]);
    const attestationObject = encode(
      new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', this.authenticatorData(answer, attested)],
      ]),
    );
    return this.credential({
      clientDataJSON: base64url(this.clientData('webauthn.create', challenge, answer.origin)),
      attestationObject: base64url(attestationObject),
      transports: ['usb'],
    });
  }

  /** As `navigator.credentials.get` answers. */
  get({ challenge }: { challenge: string }, answer: Answer) {
    const authenticatorData = this.authenticatorData(answer);
    const clientDataJSON = this.clientData('webauthn.get', challenge, answer.origin);
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
    return this.credential({
      clientDataJSON: base64url(clientDataJSON),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(createSign('sha256').update(signed).sign(this.privateKey)),
    });
  }
}
