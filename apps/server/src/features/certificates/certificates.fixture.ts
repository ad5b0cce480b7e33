import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:tls';
import {
  type DnsServer,
  findKnot,
  findPebble,
  freePort,
  type Pebble,
  startDnsServer,
  startPebble,
} from '@pult/testkit';

/** Why real peers are not to be had here; undefined where they are. */
export const obstacle =
  findPebble() && findKnot() ? undefined : 'pebble and knotd are missing (apt-get install pebble knot)';

export const tsigKey = {
  name: 'pult-key',
  algorithm: 'hmac-sha256',
  secret: Buffer.from('a key for tests of updates alone').toString('base64'),
};

export interface Authority extends AsyncDisposable {
  dns: DnsServer;
  pebble: Pebble;
  ports: { http: number; https: number };
  /** The variables of a server at these ports, but for the challenge. */
  environment: Record<string, string>;
}

/** Pebble, the DNS server that it asks, and ports for the server that they look at: `pult.test` and all below it is 127.0.0.1. */
export async function startAuthority(
  options: {
    validity?: number;
    records?: readonly string[];
    externalAccounts?: Readonly<Record<string, string>>;
  } = {},
): Promise<Authority> {
  const ports = { http: await freePort(), https: await freePort() };
  const own = ['@ A 127.0.0.1', '* A 127.0.0.1', ...(options.records ?? [])];
  const dns = await startDnsServer({ zones: { 'pult.test': own }, key: tsigKey });
  const pebble = await startPebble({
    httpPort: ports.http,
    tlsPort: ports.https,
    dnsPort: dns.port,
    ...(options.validity === undefined ? {} : { validity: options.validity }),
    ...(options.externalAccounts ? { externalAccounts: options.externalAccounts } : {}),
  });
  return {
    dns,
    pebble,
    ports,
    environment: {
      PORT: String(ports.https),
      PUBLIC_URL: `https://pult.test:${ports.https}`,
      ACME_EMAIL: 'operator@pult.test',
      ACME_DIRECTORY: pebble.directory,
      ACME_CA_FILE: pebble.caFile,
    },
    async [Symbol.asyncDispose]() {
      await pebble[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
}

export const dnsEnvironment = ({ dns }: Authority): Record<string, string> => ({
  ACME_DNS_SERVER: `127.0.0.1:${dns.port}`,
  ACME_DNS_TSIG_NAME: tsigKey.name,
  ACME_DNS_TSIG_SECRET: tsigKey.secret,
});

/** The certificate that a client of that name is shown. */
export async function readShown(
  port: number,
  servername: string,
  ALPNProtocols?: string[],
): Promise<X509Certificate> {
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername,
    rejectUnauthorized: false,
    ...(ALPNProtocols ? { ALPNProtocols } : {}),
  });
  try {
    await once(socket, 'secureConnect');
    const shown = socket.getPeerX509Certificate();
    if (!shown) throw new Error('no certificate was shown');
    return shown;
  } finally {
    socket.destroy();
  }
}
