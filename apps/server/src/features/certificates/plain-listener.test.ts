import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { freePort } from '@pult/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createPlainListener } from './plain-listener.ts';

it('strangers of one address that fill the port of http:// keep no other one out', async () => {
  const listener = createPlainListener(
    {
      http: { publicUrl: 'https://pult.test' },
      agents: { urls: [] },
      tunnels: { domain: 'pult.test' },
    } as never, // what it reads of the configuration
    () => undefined,
    createLog('silent'),
  );
  const port = await freePort();
  await listener.listen('127.0.0.1', port);
  onTestFinished(() => {
    listener.close();
    listener.cutAll();
  });
  const knock = async (): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {}).resume();
    await once(socket, 'connect');
    return socket;
  };
  const silent = await Promise.all(Array.from({ length: 1_001 }, knock));
  const request = get({ port, host: '127.0.0.1', path: '/page' });
  const [response] = await once(request, 'response');
  expect([response.resume().statusCode, response.headers.location]).toEqual([308, 'https://pult.test/page']);
  await expect.poll(() => silent.filter(({ closed }) => !closed).length).toBe(250);
});
