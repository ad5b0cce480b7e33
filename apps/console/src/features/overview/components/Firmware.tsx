import type { Overview, StatusCounts } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { Section } from '../../../shared/ui/Section.tsx';
import { type Bar, Bars } from './Bars.tsx';

interface Props {
  organizationId: string;
  versions: Overview['firmware'];
  others: Overview['otherFirmware'];
}

/** Which versions the fleet runs, the most frequent first. */
export function Firmware({ organizationId, versions, others }: Props) {
  const { t } = useTranslation('overview');
  const { formatNumber } = useFormat();
  const greatest = Math.max(1, others.count, ...versions.map(({ count }) => count));
  const figuresOf = ({ count, countOnline }: StatusCounts) => ({
    share: count / greatest,
    figures: (
      <>
        <b>{formatNumber(count)}</b> · {t('firmware.online', { formatted: formatNumber(countOnline) })}
      </>
    ),
  });
  const bars = versions.map(
    ({ firmwareVersion: version, ...counts }): Bar => ({
      key: `version ${version}`,
      name: version || t('firmware.unknown'),
      search: version ? { firmware: version } : { firmware_known: 'false' },
      ...figuresOf(counts),
    }),
  );
  if (others.versions > 0) {
    const count = others.versions;
    const name = t('firmware.others', { count, formatted: formatNumber(count) });
    bars.push({ key: 'others', name, search: undefined, ...figuresOf(others) });
  }
  return (
    <Section title={t('firmware.title')}>
      <Bars organizationId={organizationId} bars={bars} />
    </Section>
  );
}
