import type { PageProtocol } from '@pult/contract';
import { pageProtocols } from '@pult/contract/values';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import type { CallErrors } from '../../shared/api/errors.ts';

/** That a port is reserved is told in the page. */
const ofPort: CallErrors = { inPlace: [403], stays: ['port_reserved'] };

/**
 * Opens a tunnel, by a protocol or to the port of a named endpoint. A query and not a mutation, so that a server that is away is told in the page and not by a toast
 * at every try; each answer holds a single-use key and so is never kept.
 */
export function openTunnelQuery(serialNumber: string, protocol: PageProtocol | `${number}`, path?: string) {
  return queryOptions({
    queryKey: ['tunnel', protocol, serialNumber, path ?? ''],
    queryFn: ({ signal }) =>
      api('openTunnel', {
        params: { serialNumber, protocol },
        ...(path === undefined ? {} : { body: { path } }),
        signal,
      }),
    retry: false,
    ...(pageProtocols.some((page) => page === protocol) ? {} : { meta: { errors: ofPort } }),
    staleTime: 0,
    gcTime: 0,
  });
}
