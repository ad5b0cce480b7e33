import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import type { Text } from '@pult/contract';
import { oneLine } from '../../../platform/one-line.ts';
import { CertificateProblem } from '../problem.ts';
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
const tsigErrors: Record<number, { text: Text; advice: Text }> = {
  16: {
    text: { en: 'finds the signature wrong (BADSIG)', ru: 'считает подпись неверной (BADSIG)' },
    advice: {
      en: 'Compare ACME_DNS_TSIG_SECRET and ACME_DNS_TSIG_ALGORITHM with the key of that server.',
      ru: 'Сверьте ACME_DNS_TSIG_SECRET и ACME_DNS_TSIG_ALGORITHM с ключом этого сервера.',
    },
  },
  17: {
    text: { en: 'does not know the key (BADKEY)', ru: 'не знает ключа (BADKEY)' },
    advice: {
      en: 'Compare ACME_DNS_TSIG_NAME and ACME_DNS_TSIG_ALGORITHM with the key of that server.',
      ru: 'Сверьте ACME_DNS_TSIG_NAME и ACME_DNS_TSIG_ALGORITHM с ключом этого сервера.',
    },
  },
  18: {
    text: { en: 'says that the clocks differ (BADTIME)', ru: 'говорит, что часы расходятся (BADTIME)' },
    advice: {
      en: 'Set the clocks of both machines, by NTP for example.',
      ru: 'Выставьте часы обеих машин, например по NTP.',
    },
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
  const address = `${server.address}:${server.port}`;
  const where: Text = { en: `The DNS server ${address}`, ru: `Сервер DNS ${address}` };
  const signed = server.tsig && signMessage(update, server.tsig, new Date());
  let answer: Buffer;
  try {
    answer = await exchange(server, signed?.message ?? update, timeoutMs);
  } catch (error) {
    throw new CertificateProblem(
      {
        en: `${where.en} could not be asked to change ${zone}: ${oneLine((error as Error).message)}`,
        ru: `${where.ru} не удалось попросить изменить ${zone}: ${oneLine((error as Error).message)}`,
      },
      {
        en: 'Look at ACME_DNS_SERVER, and whether that server takes TCP connections from here.',
        ru: 'Проверьте ACME_DNS_SERVER и принимает ли этот сервер отсюда соединения TCP.',
      },
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
      {
        en: `${where.en} answered something that is no DNS message`,
        ru: `${where.ru} ответил не сообщением DNS`,
      },
      {
        en: 'Look at the address and port in ACME_DNS_SERVER.',
        ru: 'Проверьте адрес и порт в ACME_DNS_SERVER.',
      },
      { cause: error },
    );
  }
  const known = tsigError === undefined ? undefined : tsigErrors[tsigError];
  if (known) {
    const text = { en: `${where.en} ${known.text.en}`, ru: `${where.ru} ${known.text.ru}` };
    throw new CertificateProblem(text, known.advice);
  }
  if (decoded.code !== 0) {
    const code = codes[decoded.code] ?? `code ${decoded.code}`;
    throw new CertificateProblem(
      { en: `${where.en} did not change ${zone}: ${code}`, ru: `${where.ru} не изменил ${zone}: ${code}` },
      decoded.code === servfail
        ? {
            en: 'It failed by itself: look at the log of that server.',
            ru: 'Сбой на его стороне: посмотрите его журнал.',
          }
        : {
            en: 'Let it allow updates of that zone for the key in ACME_DNS_TSIG_NAME, and ask the primary server, not a secondary.',
            ru: 'Разрешите на нём обновления этой зоны для ключа из ACME_DNS_TSIG_NAME; обращаться нужно к основному серверу, а не ко вторичному.',
          },
    );
  }
  if (decoded.id !== id || !decoded.isAnswer || !isGenuine) {
    throw new CertificateProblem(
      {
        en: `${where.en} gave an answer that is not signed with the key`,
        ru: `${where.ru} дал ответ, который не подписан этим ключом`,
      },
      {
        en: 'Look whether ACME_DNS_SERVER is the server whose key it is, and whether something stands in between.',
        ru: 'Проверьте, тому ли серверу из ACME_DNS_SERVER принадлежит ключ и нет ли между ними посредника.',
      },
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
