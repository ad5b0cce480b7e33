import type { WebhookDelivery } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { describeFailure } from '../alerts/index.ts';

/** What became of a delivery, in words. */
export function useResultText(): (delivery: WebhookDelivery) => string {
  const { t } = useTranslation(['webhooks', 'alerts']);
  const { t: tAlerts } = useTranslation('alerts');
  const { formatDate } = useFormat();
  return ({ state, reason, status, nextTryAt }) => {
    const parts: string[] = [t(`state.${state}`)];
    if (state !== 'delivered' && reason !== null) parts.push(describeFailure(tAlerts, { reason, status }));
    if (state === 'delivered' && status !== null) parts.push(String(status));
    if (state === 'waiting' && nextTryAt !== null) {
      parts.push(t('list.nextTry', { at: formatDate(nextTryAt, 'time') }));
    }
    return parts.join(' · ');
  };
}
