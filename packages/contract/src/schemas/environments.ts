import { z } from 'zod';
import { locales } from '../locale.ts';
import { type WirenBoardObstacle, wirenBoardObstacles } from '../values/wiren-board.ts';

const wirenBoardObstacle = z.enum(
  // The keys are the table's own.
  Object.keys(wirenBoardObstacles) as [WirenBoardObstacle, ...WirenBoardObstacle[]],
);

/** Why a server takes no Wiren Board controllers: see `describeWirenBoardOff`. Null where it takes them. */
export const wirenBoardOff = z
  .object({ reason: wirenBoardObstacle, names: z.array(z.string()), port: z.number().int() })
  .nullable();

/** Settings that the console needs before login (spec-coverage: Environment settings:). 0 controllers means no limit. */
export const environments = z.object({
  IS_ON_PREMISE: z.boolean(),
  ON_PREMISE_VERSION: z.string(),
  TOTP_AUTH_ENABLED: z.boolean(),
  MAX_ACTIVATED_CONTROLLERS: z.number().int(),
  SERVICE_NAME: z.string(),
  SERVICE_STATUS_URL: z.string().nullable(),
  LANGUAGES: z.array(z.enum(locales)),
  MAP_STYLE_URL: z.string().nullable(),
  /** A file of map tiles (PMTiles) that the server has; null where there is none. */
  MAP_TILES_URL: z.string().nullable(),
  TUNNEL_DOMAIN: z.string(),
  /** What passkeys are good for at this address: also as the only login, in place of codes, or not at all. */
  PASSKEYS: z.enum(['login', 'code', 'none']),
  /** The name of the installation’s identity provider; null where it has none. */
  SIGN_IN_PROVIDER: z.string().nullable(),
  /** Without a mail server no link to set a password arrives: people are told whom to ask. */
  MAIL_ENABLED: z.boolean(),
  /** How the commands of this installation are called, by whoever runs its server: `pult`, `./pult` or `npm run pult --`. */
  PULT_COMMAND: z.string(),
  /** Where OpenSSH finds the jump host, and the fingerprint by which it is recognized; null when there is none. */
  SSH_JUMP: z.object({ host: z.string(), port: z.number().int(), hostKeyFingerprint: z.string() }).nullable(),
  /** Where controllers of Wiren Board find this server; null where it takes none of them. */
  WIREN_BOARD: z
    .object({
      serverUrl: z.string(),
      /** For their agents before 1.6.0, which are told it. */
      agentUrl: z.string(),
      tunnel: z.object({ host: z.string(), port: z.number().int() }),
    })
    .nullable(),
  WIREN_BOARD_OFF: wirenBoardOff,
});
export type Environments = z.infer<typeof environments>;
