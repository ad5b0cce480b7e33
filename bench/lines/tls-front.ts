import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { makeTempDir, makeTestCertificate, ResourceStack } from '@pult/testkit';
import { cloudAddress } from './emulator-protocol.ts';

/** TLS before a server, as a reverse proxy has it: what the device sees of both is the same. */
export interface TlsFront extends AsyncDisposable {
  port: number;
  caPath: string;
}

export async function startTlsFront(serverPort: number): Promise<TlsFront> {
  const stack = new ResourceStack();
  try {
    const folder = stack.use(await makeTempDir('tls'));
    const { certPath, keyPath, caPath } = await makeTestCertificate(folder.path, [cloudAddress, '127.0.0.1']);
    const front = createServer(
      { cert: await readFile(certPath), key: await readFile(keyPath), ALPNProtocols: ['http/1.1'] },
      (inbound) => {
        const outbound = connect(serverPort, '127.0.0.1');
        outbound.setNoDelay(true);
        for (const [from, to] of [
          [inbound, outbound],
          [outbound, inbound],
        ] as const)
          from
            .on('error', () => to.destroy())
            .on('close', () => to.destroy())
            .pipe(to);
      },
    );
    // One that goes away in the middle of its handshake is no news.
    front.on('tlsClientError', () => {});
    front.on('connection', (socket) => socket.setNoDelay(true));
    await once(front.listen(0, '0.0.0.0'), 'listening');
    stack.use({ [Symbol.asyncDispose]: async () => void front.close() });
    return {
      // A listening TCP server has an address object.
      port: (front.address() as AddressInfo).port,
      caPath,
      [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
    };
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}
