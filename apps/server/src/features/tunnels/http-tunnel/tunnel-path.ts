import { openTunnelRequest } from '@pult/contract';
import { readOwnPath } from '../../../platform/http/own-path.ts';

/** Whether the API takes this as the path to come back to. */
export function isTunnelPath(path: string): boolean {
  return openTunnelRequest.safeParse({ path }).success;
}

/** Where a browser goes on once it has its cookie: a path of this very origin, `/` for anything else. */
export function toTunnelPath(path: string | null, origin: string): string {
  return readOwnPath(path, origin) ?? '/';
}
