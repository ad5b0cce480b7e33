import type { Controller } from '@pult/contract';
import { type ConnectionGift, connectionKindTable } from '@pult/contract/values';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';

interface Props {
  controller: Pick<Controller, 'connectionKind'>;
  what: Extract<ConnectionGift, 'values' | 'diagnostics'>;
}

/** In the place of what a controller cannot give, by the way in which it is connected. */
export function NotGiven({ controller: { connectionKind }, what }: Props) {
  const { t } = useTranslation('controllers');
  const label = connectionKindTable[connectionKind].label[useLocale()];
  return <EmptyState title={t(`notGiven.${what}`)}>{t('notGiven.why', { connection: label })}</EmptyState>;
}
