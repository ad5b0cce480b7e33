import { request as requestHttp } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { CHALLENGE_PATH, challengeResponseSchema } from '@pult/link';
import type { Config } from '../config/settings.ts';
import { isUntrusted } from '../link/explain-failure.ts';
import { openLine } from '../link/server-agent.ts';
import { getPlace } from './check-network.ts';
import { connectTcp, patienceMs, withPatience } from './connect.ts';
import { explainConnection, type Finding } from './finding.ts';

type Server = Pick<Config, 'server' | 'proxy' | 'ca'>;

/** Further off than this a certificate may be taken for one of another time, and values for those of another hour. */
const clockLimitMs = 60_000;

export async function checkProxy({ server, proxy, ca }: Server): Promise<Finding> {
  const subject = 'proxy';
  if (!proxy) return { subject, state: 'skipped', text: 'none' };
  const { host, port } = getPlace(new URL(server));
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  try {
    (await openLine({ proxy, ca, timeoutMs: patienceMs }, authority)).destroy();
    return { subject, state: 'ok', text: `${proxy.host} connects to ${authority}` };
  } catch (error) {
    return {
      subject,
      state: 'failed',
      text: (error as Error).message,
      advice: 'Correct --proxy (or HTTPS_PROXY, HTTP_PROXY), or name the server in NO_PROXY.',
    };
  }
}

/** Whether the server's certificate is taken. `isSpoken`: it answers, whatever its certificate is worth. */
export async function checkTls(options: Server): Promise<{ finding: Finding; isSpoken: boolean }> {
  const subject = 'TLS';
  const { host, port } = getPlace(new URL(options.server));
  if (!options.server.startsWith('https:')) {
    const text = 'the address begins with http://, all goes unencrypted';
    return { finding: { subject, state: 'skipped', text }, isSpoken: true };
  }
  let socket: TLSSocket;
  try {
    socket = await connectSecurely(options);
  } catch (error) {
    return { finding: { subject, state: 'failed', ...explainHandshake(error, port) }, isSpoken: false };
  }
  const { issuer, valid_to: until } = socket.getPeerCertificate();
  const { authorized, authorizationError } = socket;
  socket.destroy();
  if (!authorized) {
    const why = explainCertificate(String(authorizationError), host);
    return { finding: { subject, state: 'failed', ...why }, isSpoken: true };
  }
  const by = issuer?.O ?? issuer?.CN;
  const text = `the certificate of ${host} is good until ${until}${by ? `, by ${by}` : ''}`;
  return { finding: { subject, state: 'ok', text }, isSpoken: true };
}

function explainHandshake(error: unknown, port: number): { text: string; advice: string } {
  const { code } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('ERR_SSL') && code !== 'EPROTO') return explainConnection(error, port);
  const advice = `Port ${port} may be one of plain HTTP: correct the address of --server.`;
  return { text: 'what answers speaks no TLS', advice };
}

function explainCertificate(code: string, host: string): { text: string; advice: string } {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return {
      text: code === 'CERT_HAS_EXPIRED' ? 'the certificate has expired' : 'the certificate is not valid yet',
      advice:
        'Check the clock of this machine, see below; where it is right, the server needs another certificate.',
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      text: `the certificate is not one of ${host}`,
      advice: 'Correct the name in --server, or the certificate.',
    };
  }
  return {
    text: `the certificate is not trusted (${code})`,
    advice: isUntrusted(code)
      ? 'Name its authority by --ca when it is your own; otherwise the server’s certificate lacks its chain, or somebody opens TLS on the way.'
      : 'The server needs another certificate.',
  };
}

/** What the server says to a call: that it is a Pult server, and what time it is. */
export async function checkAnswer(options: Server, serialNumber: string): Promise<Finding[]> {
  let socket: Duplex;
  try {
    socket = options.server.startsWith('https:')
      ? await connectSecurely(options)
      : await connectPlainly(options);
  } catch (error) {
    const { port } = getPlace(new URL(options.server));
    return [{ subject: 'server', state: 'failed', ...explainConnection(error, port) }];
  }
  try {
    const { status, text, date } = await withPatience(
      post(options, socket, JSON.stringify({ serialNumber })),
    );
    return [describeAnswer(options.server, status, text), describeClock(date)];
  } catch (error) {
    const { message } = error as Error;
    const advice = 'Is this the address of a Pult server? Something else answers, or nothing.';
    return [{ subject: 'server', state: 'failed', text: message, advice }];
  } finally {
    socket.destroy();
  }
}

function describeAnswer(server: string, status: number, text: string): Finding {
  const subject = 'server';
  if (status === 200 && challengeResponseSchema.safeParse(parseJson(text)).success) {
    return { subject, state: 'ok', text: `${server} is a Pult server` };
  }
  if (status === 429 || status === 503) {
    return {
      subject,
      state: 'failed',
      text: `busy (${status})`,
      advice: 'Try again in a minute; the agent does so by itself.',
    };
  }
  return {
    subject,
    state: 'failed',
    text: `what answers (${status}) is no Pult server`,
    advice: 'Correct the address of --server; a proxy or login page on the way may answer in its place.',
  };
}

function describeClock(date: string | undefined): Finding {
  const subject = 'clock';
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs))
    return { subject, state: 'skipped', text: 'the server does not say what time it is' };
  // The header has whole seconds.
  const offBy = Math.abs(Date.now() - theirs);
  const here = new Date().toISOString();
  if (offBy <= clockLimitMs) return { subject, state: 'ok', text: `${here}, as at the server` };
  return {
    subject,
    state: 'failed',
    text: `it is ${here} here and ${new Date(theirs).toISOString()} at the server`,
    advice: 'Set the clock, by NTP where there is a network: timedatectl set-ntp true.',
  };
}

async function connectPlainly({ server, proxy, ca }: Server): Promise<Duplex> {
  const { host, port } = getPlace(new URL(server));
  if (!proxy) return connectTcp(host, port);
  return openLine({ proxy, ca, timeoutMs: patienceMs }, `${host.includes(':') ? `[${host}]` : host}:${port}`);
}

/** Takes any certificate, so that it can be told what is wrong with it: nothing secret goes over this connection. */
async function connectSecurely(options: Server): Promise<TLSSocket> {
  const { host } = getPlace(new URL(options.server));
  const line = await connectPlainly(options);
  const socket = connectTls({
    socket: line,
    rejectUnauthorized: false,
    ...(options.ca ? { ca: options.ca } : {}),
    host,
    servername: /^[\d.]+$|:/.test(host) ? '' : host,
  });
  const secured = new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.on('error', reject);
    socket.once('close', () => reject(Object.assign(new Error('cut'), { code: 'ECONNRESET' })));
  });
  try {
    await withPatience(secured);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
}

function post({ server }: Server, socket: Duplex, body: string) {
  const url = new URL(server + CHALLENGE_PATH);
  return new Promise<{ status: number; text: string; date: string | undefined }>((resolve, reject) => {
    // Plain HTTP over what is there: TLS is its own affair.
    const request = requestHttp({
      method: 'POST',
      path: url.pathname,
      createConnection: () => socket,
      headers: {
        Host: url.host,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text = (text + chunk).slice(0, 4096);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, date: response.headers.date }),
      );
    });
    request.end(body);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
