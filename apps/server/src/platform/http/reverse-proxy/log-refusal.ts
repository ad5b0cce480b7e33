import type { IncomingMessage } from 'node:http';
import type { Logger } from '../../log.ts';
import type { Refusal } from './policy.ts';

/** The one line that the log has of a request to what lies behind this server: none of those that pass. */
export function logRefusal(
  log: Logger,
  request: IncomingMessage,
  address: string,
  { status, logged }: Refusal,
): void {
  const { method, headers } = request;
  log.info(
    { method, host: headers.host?.slice(0, 255), status, address, ...logged },
    'proxied request refused',
  );
}
