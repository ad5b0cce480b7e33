import type { Controller, ControllerStatus } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useIsAllowed } from '../../shared/api/permissions.ts';

/** Why a tunnel to a controller of this status cannot be opened now; undefined when it can. */
export function useExplainConnect(): (status: ControllerStatus, isAllowed: boolean) => string | undefined {
  const { t } = useTranslation(['controllers', 'shared']);
  return (status, isAllowed) => {
    if (!isAllowed) return t('roleTooWeak.member', { ns: 'shared' });
    if (status === 'online') return undefined;
    return t(status === 'never' ? 'connect.never' : 'connect.offline');
  };
}

/** The same for one controller, with the role that the user has in its organization. */
export function useConnectReason(
  controller: Pick<Controller, 'status' | 'organization'>,
): string | undefined {
  const explain = useExplainConnect();
  return explain(controller.status, useIsAllowed(controller.organization.id, 'tunnels.open'));
}
