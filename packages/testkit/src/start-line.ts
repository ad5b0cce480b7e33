import { onTestFinished } from 'vitest';
import { FaultProxy } from './fault-proxy.ts';

/** A TCP line to `port` on the loopback address that can be broken; goes with the test. */
export async function startLine(port: number): Promise<FaultProxy> {
  const line = await FaultProxy.start({ target: { host: '127.0.0.1', port } });
  onTestFinished(() => line.stop());
  return line;
}
