import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { HttpClient } from './http-client.ts';
import { poll } from './poll.ts';
import { RunningProcess } from './running-process.ts';
import { makeTempDir } from './temp-dir.ts';
import { makeTestCertificate } from './test-certificate.ts';

export interface Pebble extends AsyncDisposable {
  readonly directory: string;
  /** Of its own address. */
  readonly caFile: string;
  readonly process: RunningProcess;
  /** PEM of the root of what it issues. */
  readRoot(): Promise<string>;
}

interface PebbleOptions {
  /** Where its looks go. */
  httpPort: number;
  tlsPort: number;
  /** Of the DNS server that it asks. */
  dnsPort: number;
  /** Seconds. */
  validity?: number;
  /** Accounts that it wants to be bound to, by their numbers; keys in base64url. */
  externalAccounts?: Readonly<Record<string, string>>;
}

/** Where Debian puts it, or undefined. */
export function findPebble(): string | undefined {
  return ['/usr/bin/pebble', '/usr/local/bin/pebble'].find(existsSync);
}

/** A real authority for tests on the loopback address: Pebble of Let's Encrypt. It refuses some nonces at random, as it does by itself. */
export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const command = findPebble();
  if (!command) throw new Error('pebble is missing: install it (apt-get install pebble)');
  const folder = await makeTempDir('pebble');
  const [port, managementPort] = [await freePort(), await freePort()];
  const { certPath, keyPath, caPath, ca } = await makeTestCertificate(folder.path, ['localhost']);
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
      certificate: certPath,
      privateKey: keyPath,
      httpPort: options.httpPort,
      tlsPort: options.tlsPort,
      ocspResponderURL: '',
      externalAccountBindingRequired: options.externalAccounts !== undefined,
      externalAccountMACKeys: options.externalAccounts ?? {},
      ...(options.validity === undefined ? {} : { certificateValidityPeriod: options.validity }),
    },
  };
  const file = join(folder.path, 'pebble.json');
  await writeFile(file, JSON.stringify(config));
  const running = new RunningProcess({
    name: 'pebble',
    command,
    args: ['-config', file, '-dnsserver', `127.0.0.1:${options.dnsPort}`],
    env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' },
  });
  const client = new HttpClient({ ca });
  const ask = async (url: string) => {
    const answer = await client.request(url, { signal: AbortSignal.timeout(2_000) });
    return { status: answer.status, text: await answer.text() };
  };
  const directory = `https://localhost:${port}/dir`;
  const stop = async () => {
    await running.stop();
    await folder.remove();
  };
  try {
    await poll(
      () => {
        if (!running.isRunning) throw new Error(running.tail());
        return ask(directory).then(
          ({ status }) => status === 200,
          () => false,
        );
      },
      { what: 'pebble answers' },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    directory,
    caFile: caPath,
    process: running,
    readRoot: async () => (await ask(`https://localhost:${managementPort}/roots/0`)).text,
    [Symbol.asyncDispose]: stop,
  };
}
