import { type Controller, isAllowed } from '@pult/contract';
import { useTranslation } from 'react-i18next';

type Reached = Pick<Controller, 'status' | 'userRole'>;

/** Why a tunnel to a controller cannot be opened now; undefined when it can. */
export function useExplainConnect(): (controller: Reached) => string | undefined {
  const { t } = useTranslation(['controllers', 'shared']);
  return ({ status, userRole }) => {
    if (!isAllowed(userRole, 'tunnels.open')) return t('roleTooWeak.member', { ns: 'shared' });
    if (status === 'online') return undefined;
    return t(status === 'never' ? 'connect.never' : 'connect.offline');
  };
}

/** The same for one controller. */
export function useConnectReason(controller: Reached): string | undefined {
  const explain = useExplainConnect();
  return explain(controller);
}
