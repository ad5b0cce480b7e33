import { useTranslation } from 'react-i18next';
import type { Obstacle } from './management-rules.ts';

export function useObstacleText(): (obstacle: Obstacle | undefined) => string | undefined {
  const { t } = useTranslation(['organizations', 'shared']);
  return (obstacle) => {
    if (obstacle === undefined) return undefined;
    if (obstacle !== 'roleTooWeak') return t(`members.${obstacle}`);
    return t('roleTooWeak', { ns: 'shared', role: t('role.admin', { ns: 'shared' }) });
  };
}
