import { readOwnPath } from '../../../platform/http/own-path.ts';

const longest = 2000;

/** A path of Grafana's own host as a header may hold it; undefined for anything that a browser could read otherwise. */
export function readGrafanaPath(path: string, origin: string): string | undefined {
  return path.length > longest ? undefined : readOwnPath(path, origin);
}

/** Grafana's id of the organization that a path there is about. */
export function organizationOfPath(path: string, origin: string): number | undefined {
  const id = URL.canParse(path, origin) ? new URL(path, origin).searchParams.get('orgId') : null;
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
