import type { Environments } from '@pult/contract';
import type { Core, Feature } from '../../platform/feature.ts';
import { registerEnvironmentRoutes } from './environments.routes.ts';

/** The settings that the console reads at its start. What can change while the server runs is asked at each call. */
export function createEnvironmentsFeature(
  { config }: Core,
  dependencies: {
    findMapTilesUrl: () => Promise<string | undefined>;
    sshListener: { readonly address: Environments['SSH_JUMP'] | undefined };
    /** How the commands are called where the server runs. */
    pultCommand: string;
    passkeys: Environments['PASSKEYS'];
    getWirenBoardOff: () => Environments['WIREN_BOARD_OFF'] | undefined;
  },
): Feature {
  return {
    name: 'environments',
    routes: ({ api }) => registerEnvironmentRoutes(api, { config, ...dependencies }),
  };
}
