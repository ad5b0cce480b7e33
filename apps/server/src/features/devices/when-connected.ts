import type { Duplex } from 'node:stream';
import type { EndpointStream } from './device-connection.ts';
import { EndpointError } from './endpoint-error.ts';

/** Resolves once the device has connected. Rejects with the stream's error, or with the signal's reason. */
export function whenConnected(stream: EndpointStream, signal?: AbortSignal): Promise<Duplex> {
  // A refusal may come when nobody waits any more: unheard, it would end the process.
  stream.on('error', () => {});
  return new Promise((resolve, reject) => {
    const settle = () => {
      stream.off('connect', onConnect);
      stream.off('error', onError);
      stream.off('close', onClose);
      signal?.removeEventListener('abort', onAbort);
    };
    const onConnect = () => {
      settle();
      resolve(stream);
    };
    const onError = (error: Error) => {
      settle();
      reject(error);
    };
    const onClose = () => onError(new EndpointError('service_reset', 'closed before it was connected'));
    const onAbort = () => {
      stream.destroy();
      onError(signal?.reason);
    };
    if (signal?.aborted) return onAbort();
    if (!stream.connecting && !stream.destroyed) return resolve(stream);
    stream.once('connect', onConnect);
    stream.once('error', onError);
    stream.once('close', onClose);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
