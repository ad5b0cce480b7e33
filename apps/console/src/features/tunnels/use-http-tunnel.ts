import { ApiError, type Controller, isAllowed, limits } from '@pult/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { controllerQuery } from '../controllers/index.ts';
import { openTunnelQuery } from './queries.ts';

export type HttpTunnelState =
  | { phase: 'opening' }
  | { phase: 'opened'; url: string }
  | { phase: 'offline'; controller: Controller }
  | { phase: 'forbidden'; controller: Controller }
  | { phase: 'failed'; error: unknown };

/** As the call takes it in the place of a protocol. */
export type EndpointPort = `${number}`;

/** The port of a named endpoint as an address has it; anything that is none opens the controller's own web interface. */
export function endpointPort(port: string | undefined): EndpointPort | undefined {
  // The pattern is that of a number.
  return port !== undefined && /^[1-9]\d{0,4}$/.test(port) ? (port as EndpointPort) : undefined;
}

/** A path on the controller to come back to; anything that is none opens its start page. The server checks the rest. */
export function deepLink(path: string | undefined): string | undefined {
  const isPath = path !== undefined && /^\/(?![/\\])/.test(path) && path.length <= limits.tunnelPathLength;
  return isPath ? path : undefined;
}

/** Whether a call says that the controller does not exist, to this person at least. */
export function isNoSuchController(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** A refusal that says more than "not now" would only be repeated; a server that is away comes back. */
export function mayMendItself(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500;
}

/** One try. An offline controller is not even asked, so that waiting for it is quiet. */
async function open(
  client: QueryClient,
  serialNumber: string,
  port: EndpointPort | undefined,
  path: string | undefined,
): Promise<HttpTunnelState> {
  const fresh = { staleTime: 0, retry: false } as const;
  const find = () => client.fetchQuery({ ...controllerQuery(serialNumber), ...fresh });
  try {
    const controller = await find();
    if (!isAllowed(controller.userRole, 'tunnels.open')) return { phase: 'forbidden', controller };
    if (controller.status !== 'online') return { phase: 'offline', controller };
    const { tunnelRedirectUrl } = await client.fetchQuery(
      openTunnelQuery(serialNumber, port ?? 'http', path),
    );
    return { phase: 'opened', url: tunnelRedirectUrl };
  } catch (error) {
    const isOffline = error instanceof ApiError && error.code === 'controller_offline';
    return isOffline ? { phase: 'offline', controller: await find() } : { phase: 'failed', error };
  }
}

/** The course of opening a web interface. `tryNow` starts the next try. */
export function useHttpTunnel(
  serialNumber: string,
  port: EndpointPort | undefined,
  path: string | undefined,
) {
  const client = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<HttpTunnelState>({ phase: 'opening' });
  const [isTrying, setTrying] = useState(true);
  const tryNow = useCallback(() => setAttempt((count) => count + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` starts the next try
  useEffect(() => {
    let isCurrent = true;
    setTrying(true);
    open(client, serialNumber, port, deepLink(path))
      .catch((error: unknown): HttpTunnelState => ({ phase: 'failed', error }))
      .then((next) => {
        if (!isCurrent) return;
        setTrying(false);
        setState(next);
      });
    return () => {
      isCurrent = false;
    };
  }, [attempt, client, serialNumber, port, path]);

  return { state, attempt, isTrying, tryNow };
}
