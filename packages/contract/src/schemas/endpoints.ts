import { z } from 'zod';
import { limits } from '../limits.ts';
import { endpointSchemes } from '../values/endpoints.ts';
import { requiredText } from './text.ts';

const port = z.int().min(1).max(65535);
const name = requiredText(limits.endpointNameLength);
const scheme = z.enum(endpointSchemes);

/** A name or an address as it stands in one of the web, perhaps with a port; the port that browsers leave out may be there. */
function isHost(value: string): boolean {
  if (!/^[a-z0-9._:[\]-]+$/.test(value) || !URL.canParse(`http://${value}`)) return false;
  return new URL(`http://${value}`).host === value.replace(/:80$/, '');
}

const hostHeader = z
  .string()
  .trim()
  .max(limits.hostHeaderLength)
  .toLowerCase()
  .refine(isHost, 'host_header')
  .nullable();

/** A port as a path names it. */
export const endpointPort = z
  .string()
  .regex(/^[1-9]\d{0,4}$/)
  .transform(Number)
  .pipe(port);

/** A web server of the controller on a port of its loopback address, besides its own web interface. */
export const namedEndpoint = z.object({
  port,
  name: z.string(),
  scheme,
  /** What its web server is told as `Host`, as if browsers reached it by that; null: the host of the tunnel. */
  hostHeader: z.string().nullable(),
  /** Only those with `tunnels.forward` at the controller open and change it, and no guest. */
  isReserved: z.boolean(),
  /** What of its TLS was old when it was last opened, such as `TLS 1.0, RSA 1024`; null where nothing was, or it was not opened yet. */
  oldTls: z.string().nullable(),
});
export type NamedEndpoint = z.infer<typeof namedEndpoint>;

export const createEndpointRequest = z.strictObject({
  port,
  name,
  scheme: scheme.default('http'),
  hostHeader: hostHeader.default(null),
});
export const updateEndpointRequest = z.strictObject({
  name: name.optional(),
  scheme: scheme.optional(),
  hostHeader: hostHeader.optional(),
});
