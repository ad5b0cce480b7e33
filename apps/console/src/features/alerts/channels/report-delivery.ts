import type { DeliveryResult } from '@pult/contract';
import type { TFunction } from 'i18next';
import type { TestReport } from './channel.ts';
import { describeFailure } from './delivery-text.ts';

/** How the test of a channel with one receiver went; undefined where the rule does not use it. */
export function reportDelivery(
  result: DeliveryResult | null,
  t: TFunction<'alerts'>,
  channel: string,
): TestReport | undefined {
  if (result === null) return undefined;
  if (result.delivered) return { severity: 'success', summary: t('tested.delivered', { channel }) };
  return { severity: 'error', summary: t('tested.failed', { channel, reason: describeFailure(t, result) }) };
}
