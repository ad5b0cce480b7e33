import { type Environments, locales, routes } from '@pult/contract';
import type { Config } from '../../config/config.ts';
import type { Api } from '../../platform/http/api.ts';

/** The settings that the console reads at its start, before any login: nothing here is a secret. */
export function registerEnvironmentRoutes(
  api: Api,
  {
    config: { http, settings, tunnels, mail, agents, oidc },
    findMapTilesUrl,
    sshListener,
    pultCommand,
    passkeys,
    getWirenBoardOff,
  }: {
    config: Pick<Config, 'http' | 'settings' | 'tunnels' | 'mail' | 'agents' | 'oidc'>;
    findMapTilesUrl: () => Promise<string | undefined>;
    sshListener: { readonly address: Environments['SSH_JUMP'] | undefined };
    pultCommand: string;
    passkeys: Environments['PASSKEYS'];
    getWirenBoardOff: () => Environments['WIREN_BOARD_OFF'] | undefined;
  },
): void {
  const { wirenBoard } = agents;
  const environments: Omit<Environments, 'MAP_TILES_URL' | 'SSH_JUMP' | 'WIREN_BOARD' | 'WIREN_BOARD_OFF'> = {
    IS_ON_PREMISE: settings.isOnPremise,
    ON_PREMISE_VERSION: settings.onPremiseVersion,
    TOTP_AUTH_ENABLED: settings.totpAuthEnabled,
    MAX_ACTIVATED_CONTROLLERS: settings.maxActivatedControllers,
    SERVICE_NAME: settings.serviceName,
    SERVICE_STATUS_URL: settings.serviceStatusUrl ?? null,
    LANGUAGES: [...locales],
    MAP_STYLE_URL: settings.mapStyleUrl ?? null,
    TUNNEL_DOMAIN: tunnels.domain,
    PASSKEYS: passkeys,
    SIGN_IN_PROVIDER: oidc.provider?.name ?? null,
    MAIL_ENABLED: mail.smtpUrl !== undefined,
    PULT_COMMAND: pultCommand,
  };
  const wirenBoardAddresses = wirenBoard && {
    serverUrl: http.publicUrl,
    agentUrl: wirenBoard.agentUrl,
    tunnel: wirenBoard.tunnelAddress,
  };
  api.route(routes.getEnvironments, async () => {
    const off = getWirenBoardOff() ?? null;
    return {
      ...environments,
      MAP_TILES_URL: (await findMapTilesUrl()) ?? null,
      SSH_JUMP: sshListener.address ?? null,
      WIREN_BOARD: (off === null && wirenBoardAddresses) || null,
      WIREN_BOARD_OFF: off,
    };
  });
}
