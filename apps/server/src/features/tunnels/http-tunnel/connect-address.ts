import type { WebInterface } from '../web-interface.ts';

/** The page of the console that opens a tunnel to a web interface, and goes on to that path of it. */
export function connectAddress(
  publicUrl: string,
  { serialNumber, port }: WebInterface,
  path: string | undefined,
): string {
  const query = new URLSearchParams({
    ...(port === null ? {} : { port: String(port) }),
    ...(path === undefined || path === '/' ? {} : { path }),
  });
  const address = `${publicUrl}/connect/http/${serialNumber}/`;
  return query.size > 0 ? `${address}?${query}` : address;
}

/** The page of the console about a controller: the way back from its web interface. */
export function controllerAddress(publicUrl: string, { serialNumber }: WebInterface): string {
  return `${publicUrl}/controllers/${serialNumber}`;
}
