import { z } from 'zod';
import { locales } from '../locale.ts';

/** Settings that the console needs before login (spec, section 3). 0 controllers means no limit. */
export const environments = z.object({
  IS_ON_PREMISE: z.boolean(),
  ON_PREMISE_VERSION: z.string(),
  TOTP_AUTH_ENABLED: z.boolean(),
  MAX_ACTIVATED_CONTROLLERS: z.number().int(),
  SERVICE_NAME: z.string(),
  SERVICE_STATUS_URL: z.string().nullable(),
  LANGUAGES: z.array(z.enum(locales)),
  MAP_STYLE_URL: z.string().nullable(),
  TUNNEL_DOMAIN: z.string(),
});
export type Environments = z.infer<typeof environments>;
