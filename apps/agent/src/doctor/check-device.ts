import { once } from 'node:events';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { describeOldTls, ServiceError, type ServiceName } from '@pult/link';
import type { Config } from '../config/settings.ts';
import { connectService } from '../services/connect-service.ts';
import { patienceMs, withPatience } from './connect.ts';
import type { Finding } from './finding.ts';

type Device = Pick<Config, 'http' | 'ssh' | 'allow'>;

/** The web interface of this machine, by the answer to one request. */
export function checkWebInterface(config: Device): Promise<Finding> {
  const { host, port, isTls } = config.http;
  const where = `${isTls ? 'https' : 'http'}://${host}:${port}`;
  const ask = `GET / HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: pult-agent-doctor\r\nConnection: close\r\n\r\n`;
  const advice = isTls
    ? `Start the web server, or name it by --http; it has to speak TLS at port ${port}.`
    : 'Start the web server, or name it by --http (https://HOST:PORT where it speaks TLS alone).';
  return checkService(config, { name: 'http', subject: 'web interface', where, ask, advice }, (said) => {
    const status = /^HTTP\/1\.[01] ([1-5][0-9]{2})/.exec(said)?.[1];
    return status && `${where} answers ${status}`;
  });
}

/** The SSH server of this machine, by what it says first. */
export function checkSsh(config: Device): Promise<Finding> {
  const where = `${config.ssh.host}:${config.ssh.port}`;
  const advice = 'Start the SSH server, or name it by --ssh.';
  return checkService(config, { name: 'ssh', subject: 'SSH server', where, ask: '', advice }, (said) => {
    const greeting = /^SSH-[\x21-\x7e]{1,100}/m.exec(said)?.[0];
    return greeting && `${where} is ${greeting}`;
  });
}

interface Service {
  name: ServiceName;
  subject: string;
  where: string;
  /** Said first; nothing where the service begins. */
  ask: string;
  advice: string;
}

async function checkService(
  config: Device,
  { name, subject, where, ask, advice }: Service,
  recognize: (said: string) => string | undefined,
): Promise<Finding> {
  if (config.allow && !config.allow.has(name))
    return { subject, state: 'skipped', text: 'left out by --allow' };
  let socket: Socket | undefined;
  try {
    const nobodyGivesUp = new AbortController().signal;
    socket = await connectService(name, { ...config, connectTimeoutMs: patienceMs }, nobodyGivesUp);
    // Asked before the other end may be gone.
    const oldTls = socket instanceof TLSSocket ? describeOldTls(socket) : undefined;
    const said = await withPatience(readFirst(socket, ask));
    const text = recognize(said);
    if (text) return { subject, state: 'ok', text: oldTls ? `${text}, by old TLS (${oldTls})` : text };
    return { subject, state: 'failed', text: `something else answers at ${where}`, advice };
  } catch (error) {
    const { message, reason } = error as ServiceError;
    const text = error instanceof ServiceError ? (reason ?? message) : `${where} says nothing`;
    return { subject, state: 'failed', text, advice };
  } finally {
    socket?.destroy();
  }
}

async function readFirst(socket: Socket, ask: string): Promise<string> {
  if (ask) socket.write(ask);
  const [first] = await once(socket, 'data');
  return String(first);
}
