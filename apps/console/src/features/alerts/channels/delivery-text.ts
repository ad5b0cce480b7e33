import type { DeliveryResult } from '@pult/contract';
import { deliveryFailures } from '@pult/contract/values';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';

/** Why a message was not delivered, in words. */
export function describeFailure(
  t: TFunction<'alerts'>,
  { reason, status }: Pick<DeliveryResult, 'reason' | 'status'>,
): string {
  // A newer server may know more of them than this page.
  return t(`result.reason.${deliveryFailures.find((each) => each === reason) ?? 'unknown'}`, {
    status: status ?? '',
  });
}

/** How a rule's last message by one channel went, in words. */
export function useDeliveryText(): (result: DeliveryResult | null) => string {
  const { t } = useTranslation('alerts');
  const { formatDate } = useFormat();
  return (result) => {
    if (result === null) return t('result.never');
    const at = formatDate(result.at);
    if (result.delivered) return t('result.delivered', { at });
    const reason = describeFailure(t, result);
    return result.nextTryAt === null
      ? t('result.failed', { reason, at })
      : t('result.retrying', { reason, at: formatDate(result.nextTryAt, 'time') });
  };
}
