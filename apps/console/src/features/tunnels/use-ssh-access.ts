import { ApiError, type Controller, isAllowed } from '@pult/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useIsReachable } from '../../shared/api/connection.ts';
import { readErrorMessages } from '../../shared/api/error-messages.ts';
import { useOrganizationEvents } from '../../shared/events/use-organization-events.ts';
import { controllerQuery } from '../controllers/index.ts';
import { openTunnelQuery } from './queries.ts';
import { isNoSuchController, mayMendItself } from './use-http-tunnel.ts';

const pollInterval = 5000;

/** What a terminal needs to know of its controller, and how its tunnel is opened. */
export interface TerminalAccess {
  /** Not known to guests. */
  controller: Controller | undefined;
  /** Why nobody can log in now. */
  blocked: string | undefined;
  openTunnel: () => Promise<string>;
  describeError: (error: unknown) => Promise<string>;
  isGuest?: boolean;
  isReadOnly?: boolean;
  /** Where the terminal is not at the usual address. */
  createSocket?: () => WebSocket;
}

/** The controller of a terminal, why nobody can log in to it now, and how its tunnel is opened. */
export function useSshAccess(serialNumber: string): TerminalAccess & { isMissing: boolean } {
  const { t } = useTranslation(['tunnels', 'shared']);
  const client = useQueryClient();
  const isReachable = useIsReachable();
  const { data: controller, error } = useQuery({
    ...controllerQuery(serialNumber),
    refetchInterval: ({ state }) =>
      (!isReachable || state.data?.status !== 'online') &&
      (state.error === null || mayMendItself(state.error)) &&
      pollInterval,
  });
  useOrganizationEvents(controller?.organization.id); // this page has no shell around it

  const blocked = () => {
    if (controller && !isAllowed(controller.userRole, 'tunnels.open')) return t('terminal.notAllowed');
    // What was known of the controller may be so no more.
    if (!isReachable) return t('terminal.serverAway');
    return controller && controller.status !== 'online' ? t('terminal.offline') : undefined;
  };
  const openTunnel = async () => {
    const { tunnelKey } = await client.fetchQuery(openTunnelQuery(serialNumber, 'ssh'));
    return tunnelKey;
  };
  const describeError = async (error: unknown) =>
    error instanceof ApiError
      ? (await readErrorMessages(error)).join(' ')
      : t('unreachable', { ns: 'shared' });

  return { controller, isMissing: isNoSuchController(error), blocked: blocked(), openTunnel, describeError };
}
