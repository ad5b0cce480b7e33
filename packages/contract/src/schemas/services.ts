import { z } from 'zod';
import { limits } from '../limits.ts';
import { serviceSchemes } from '../values/services.ts';
import { requiredText } from './text.ts';

const port = z.int().min(1).max(65535);
const name = requiredText(limits.serviceNameLength);
const scheme = z.enum(serviceSchemes);

/** A port as a path names it. */
export const servicePort = z
  .string()
  .regex(/^[1-9]\d{0,4}$/)
  .transform(Number)
  .pipe(port);

/** A web server of the controller on a port of its loopback address, besides its own web interface. */
export const service = z.object({ port, name: z.string(), scheme });
export type Service = z.infer<typeof service>;

export const createServiceRequest = z.strictObject({ port, name, scheme: scheme.default('http') });
export const updateServiceRequest = z.strictObject({ name: name.optional(), scheme: scheme.optional() });
