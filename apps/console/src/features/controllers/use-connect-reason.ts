import type { Controller } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useIsAllowed } from '../../shared/api/permissions.ts';

/** Why a tunnel to the controller cannot be opened now; undefined when it can. */
export function useConnectReason(
  controller: Pick<Controller, 'status' | 'organization'>,
): string | undefined {
  const { t } = useTranslation(['controllers', 'shared']);
  const isAllowed = useIsAllowed(controller.organization.id, 'tunnels.open');
  if (!isAllowed) return t('roleTooWeak', { ns: 'shared', role: t('role.member', { ns: 'shared' }) });
  if (controller.status === 'online') return undefined;
  return t(controller.status === 'never' ? 'connect.never' : 'connect.offline');
}
