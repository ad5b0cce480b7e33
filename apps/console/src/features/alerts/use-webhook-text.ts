import type { WebhookResult } from '@pult/contract';
import { webhookFailures } from '@pult/contract/values';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';

/** How a webhook went, in words. */
export function useWebhookText() {
  const { t } = useTranslation('alerts');
  const { formatDate } = useFormat();
  const reasonOf = ({ reason, status }: Pick<WebhookResult, 'reason' | 'status'>) =>
    // A newer server may know more of them than this page.
    t(`result.reason.${webhookFailures.find((each) => each === reason) ?? 'unknown'}`, {
      status: status ?? '',
    });
  const describe = (result: WebhookResult | null) => {
    if (result === null) return t('result.never');
    const at = formatDate(result.at);
    if (result.delivered) return t('result.delivered', { at });
    const reason = reasonOf(result);
    return result.nextTryAt === null
      ? t('result.failed', { reason, at })
      : t('result.retrying', { reason, at: formatDate(result.nextTryAt, 'time') });
  };
  return { reasonOf, describe };
}
