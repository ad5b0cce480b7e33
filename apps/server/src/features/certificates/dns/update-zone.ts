import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { CertificateProblem, quote } from '../problem.ts';
import { type DnsRecord, decodeAnswer, encodeUpdate } from './dns-message.ts';
import { isSignedAnswer, readTsigError, signMessage, type TsigKey } from './tsig.ts';

export interface UpdateServer {
  readonly address: string;
  readonly port: number;
  readonly tsig?: TsigKey | undefined;
}

const servfail = 2;

/** Of RFC 1035, section 4.1.1, and RFC 2136, section 2.2. */
const codes: Record<number, string> = {
  1: 'FORMERR',
  [servfail]: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
  9: 'NOTAUTH',
  10: 'NOTZONE',
};

/** Of RFC 8945, section 3. */
const tsigErrors: Record<number, { text: string; advice: string }> = {
  16: {
    text: 'finds the signature wrong (BADSIG)',
    advice: 'Compare ACME_DNS_TSIG_SECRET and ACME_DNS_TSIG_ALGORITHM with the key of that server.',
  },
  17: {
    text: 'does not know the key (BADKEY)',
    advice: 'Compare ACME_DNS_TSIG_NAME and ACME_DNS_TSIG_ALGORITHM with the key of that server.',
  },
  18: {
    text: 'says that the clocks differ (BADTIME)',
    advice: 'Set the clocks of both machines, by NTP for example.',
  },
};

/** Tells the server of changes to a zone (RFC 2136), signed where there is a key. */
export async function updateZone(
  server: UpdateServer,
  zone: string,
  updates: readonly DnsRecord[],
  timeoutMs = 10_000,
): Promise<void> {
  const id = randomInt(0x10000);
  const update = encodeUpdate(id, zone, updates);
  const where = `The DNS server ${server.address}:${server.port}`;
  const signed = server.tsig && signMessage(update, server.tsig, new Date());
  let answer: Buffer;
  try {
    answer = await exchange(server, signed?.message ?? update, timeoutMs);
  } catch (error) {
    throw new CertificateProblem(
      `${where} could not be asked to change ${zone}: ${quote((error as Error).message)}`,
      'Look at ACME_DNS_SERVER, and whether that server takes TCP connections from here.',
      { cause: error },
    );
  }
  let decoded: ReturnType<typeof decodeAnswer>;
  let tsigError: number | undefined;
  let isGenuine: boolean;
  try {
    decoded = decodeAnswer(answer);
    tsigError = readTsigError(decoded.last);
    isGenuine =
      !server.tsig ||
      !signed ||
      isSignedAnswer(answer, decoded.last, { key: server.tsig, requestMac: signed.mac, now: new Date() });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CertificateProblem(
      `${where} answered something that is no DNS message`,
      'Look at the address and port in ACME_DNS_SERVER.',
      { cause: error },
    );
  }
  const known = tsigError === undefined ? undefined : tsigErrors[tsigError];
  if (known) throw new CertificateProblem(`${where} ${known.text}`, known.advice);
  if (decoded.code !== 0) {
    throw new CertificateProblem(
      `${where} did not change ${zone}: ${codes[decoded.code] ?? `code ${decoded.code}`}`,
      decoded.code === servfail
        ? 'It failed by itself: look at the log of that server.'
        : 'Let it allow updates of that zone for the key in ACME_DNS_TSIG_NAME, and ask the primary server, not a secondary.',
    );
  }
  if (decoded.id !== id || !decoded.isAnswer || !isGenuine) {
    throw new CertificateProblem(
      `${where} gave an answer that is not signed with the key`,
      'Look whether ACME_DNS_SERVER is the server whose key it is, and whether something stands in between.',
    );
  }
}

/** One message and its answer over TCP (RFC 1035, section 4.2.2). */
function exchange(
  { address, port }: { address: string; port: number },
  message: Buffer,
  timeoutMs: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    const fail = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    let received = Buffer.alloc(0);
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('it hung up')));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2) return;
      const length = received.readUInt16BE(0);
      if (received.length < 2 + length) return;
      clearTimeout(timer);
      resolve(received.subarray(2, 2 + length));
      socket.destroy();
    });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    socket.write(Buffer.concat([length, message]));
  });
}
