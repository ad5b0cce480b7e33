import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';

const [hour, day] = [60, 24 * 60];

/** Minutes as people say them, in the two largest units: "1 h 30 min". */
export function useDuration(): (minutes: number) => string {
  const { t } = useTranslation('alerts');
  const { formatNumber } = useFormat();
  return (total) => {
    const minutes = Math.max(1, Math.floor(total));
    const parts = {
      days: Math.floor(minutes / day),
      hours: Math.floor((minutes % day) / hour),
      minutes: minutes % hour,
    };
    const units = (['days', 'hours', 'minutes'] as const).filter((unit) => parts[unit] > 0);
    return units
      .slice(0, 2)
      .map((unit) => t(`duration.${unit}`, { value: formatNumber(parts[unit]) }))
      .join(' ');
  };
}
