import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CertificateProblem } from '../problem.ts';
import {
  decodeAnswer,
  dnsClass,
  dnsType,
  encodeName,
  encodeText,
  encodeUpdate,
  readName,
} from './dns-message.ts';
import { isSignedAnswer, signMessage } from './tsig.ts';
import { updateZone } from './update-zone.ts';

const key = { name: 'pult-key', secret: Buffer.alloc(32, 7), algorithm: 'hmac-sha256' as const };
const record = {
  name: '_acme-challenge.pult.test',
  type: dnsType.txt,
  class: dnsClass.internet,
  ttl: 60,
  data: encodeText('value'),
};

/** A server that answers each message of TCP by `answer`; undefined for silence. */
async function startServer(answer: (message: Buffer) => Buffer | undefined): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const said = answer(data.subarray(2));
      if (!said) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(said.length);
      socket.write(Buffer.concat([length, said]));
    });
    onTestFinished(() => void socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port; // it listens on a port
}

async function fail(
  answer: (message: Buffer) => Buffer | undefined,
  isSigned = true,
): Promise<CertificateProblem> {
  const port = await startServer(answer);
  const server = { address: '127.0.0.1', port, tsig: isSigned ? key : undefined };
  const error: unknown = await updateZone(server, 'pult.test', [record], 500).catch(
    (reason: unknown) => reason,
  );
  if (!(error instanceof CertificateProblem)) throw new Error(`no problem of a certificate: ${error}`);
  return error;
}

/** Its header with a code, and nothing else. */
function answerPlainly(message: Buffer, code: number): Buffer {
  const answer = Buffer.alloc(12);
  message.copy(answer, 0, 0, 2);
  answer.writeUInt16BE(0xa800 | code, 2);
  return answer;
}

describe('an update', () => {
  test('a DNS server that says nothing is given up in time', async () => {
    expect((await fail(() => undefined)).message).toContain('no answer within 0.5 s');
  });

  test('a DNS server whose consent is not signed with the key is not believed', async () => {
    expect((await fail((message) => answerPlainly(message, 0))).message).toContain('not signed with the key');
    const forged = (message: Buffer) =>
      signMessage(answerPlainly(message, 0), { ...key, secret: Buffer.alloc(32, 8) }, new Date()).message;
    expect((await fail(forged)).message).toContain('not signed with the key');
  });

  test('a DNS server that refuses is told by the code', async () => {
    expect((await fail((message) => answerPlainly(message, 5), false)).message).toContain('REFUSED');
    expect((await fail((message) => answerPlainly(message, 2), false)).advice.en).toContain(
      'look at the log',
    );
  });

  test('a DNS server that answers no DNS at all is told so', async () => {
    expect((await fail(() => Buffer.from('SSH'))).message).toContain('no DNS message');
  });
});

describe('messages of DNS', () => {
  test('a signature covers each byte of an update', () => {
    const { message, mac } = signMessage(encodeUpdate(1, 'pult.test', [record]), key, new Date());
    const { last } = decodeAnswer(message);
    expect(last).toMatchObject({ name: key.name, type: dnsType.tsig });
    expect(last?.data.includes(mac)).toBe(true);
  });

  test('an answer that was signed for another request does not count', () => {
    const { message } = signMessage(encodeUpdate(1, 'pult.test', []), key, new Date());
    const { last } = decodeAnswer(message);
    expect(isSignedAnswer(message, last, { key, requestMac: Buffer.alloc(32), now: new Date() })).toBe(false);
  });

  test('whatever bytes come, they are read or refused, and in no circle', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          decodeAnswer(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
    expect(() => readName(Buffer.from([0xc0, 0x00]), 0)).toThrow(RangeError);
  });

  test('names that DNS cannot have are refused', () => {
    expect(encodeName('a.test.')).toEqual(Buffer.from('\u0001a\u0004test\u0000'));
    expect(() => encodeName('a'.repeat(64))).toThrow(RangeError);
    expect(() => encodeName(Array.from({ length: 130 }, () => 'a').join('.'))).toThrow(RangeError);
  });
});
