import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { isLoopback } from './agent-command.ts';

/** Where other devices would find a server whose address is this browser's own machine. */
function lanAddressesQuery(isLocal: boolean) {
  return queryOptions({
    queryKey: ['activation', 'lan-addresses'],
    queryFn: ({ signal }) => api('listLanAddresses', { signal }),
    enabled: isLocal,
    // The page does without them.
    meta: { errors: { inPlace: 'all' } },
  });
}

interface DeviceOrigin {
  origin: string;
  isLocal: boolean;
  reachable: string | undefined;
  /** Whether there is a reachable one has still to be answered. */
  isLoading: boolean;
}

/** The server's address in all that is to run on a device; `reachable` where the console's own leads nowhere from there. */
export function useDeviceOrigin(): DeviceOrigin {
  const { protocol, hostname, port, origin } = window.location;
  const isLocal = isLoopback(hostname);
  const { data, isLoading } = useQuery(lanAddressesQuery(isLocal));
  const address = data?.addresses[0];
  const reachable = address === undefined ? undefined : `${protocol}//${address}${port && `:${port}`}`;
  return { origin: reachable ?? origin, isLocal, reachable, isLoading };
}
