import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { FilterPill, type FilterProps, RadioChoice } from './field-filters.tsx';
import { updateStates } from './filter-parts.ts';

/** An hour, a day, a week and a month. */
const absences = [60, 24 * 60, 7 * 24 * 60, 30 * 24 * 60];

/** How long that is, in the largest unit of which it is a whole number. */
function useAbsence(): (minutes: number) => string {
  const { t } = useTranslation('controllers');
  const { formatNumber } = useFormat();
  return (minutes) => {
    const unit = minutes % 1440 === 0 ? 'days' : minutes % 60 === 0 ? 'hours' : 'minutes';
    const count = minutes / { days: 1440, hours: 60, minutes: 1 }[unit];
    return t(`list.offlineFor.${unit}`, { count, formatted: formatNumber(count) });
  };
}

const updateTexts = {
  'waiting,running': 'list.updateUnderWay',
  'returned,failed': 'list.updateFailed',
} as const;

export function FirmwareFilter({ search: { firmware: version }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  if (version === '') return null;
  return (
    <FilterPill label={t('list.anyFirmware')} onRemove={() => onChange({ firmware: '' })}>
      {version === null ? t('list.firmwareUnknown') : t('list.firmware', { version })}
    </FilterPill>
  );
}

export function AgentFilter({ search: { agents: versions }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  if (versions.length === 0) return null;
  return (
    <FilterPill
      label={t('list.anyText', { field: t('field.agent') })}
      onRemove={() => onChange({ agents: [] })}
    >
      {`${t('field.agent')}: ${versions.join(', ')}`}
    </FilterPill>
  );
}

export function OfflineFilter({ search: { offlineMinutesMin }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  const sayAbsence = useAbsence();
  if (offlineMinutesMin === 0) return null;
  return (
    <FilterPill label={t('list.offlineAny')} onRemove={() => onChange({ offlineMinutesMin: 0 })}>
      {sayAbsence(offlineMinutesMin)}
    </FilterPill>
  );
}

export function OfflineChoice({ search: { offlineMinutesMin }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  const sayAbsence = useAbsence();
  return (
    <RadioChoice
      label={t('field.lastSeen')}
      value={String(offlineMinutesMin)}
      options={[
        { value: '0', label: t('list.anyTime') },
        ...absences.map((minutes) => ({ value: String(minutes), label: sayAbsence(minutes) })),
      ]}
      onChange={(minutes) => onChange({ offlineMinutesMin: Number(minutes) })}
    />
  );
}

export function UpdateFilter({ search: { agentUpdate }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  if (!agentUpdate) return null;
  return (
    <FilterPill label={t('list.showAnyUpdate')} onRemove={() => onChange({ agentUpdate: undefined })}>
      {`${t('field.agentUpdate')}: ${t(updateTexts[agentUpdate])}`}
    </FilterPill>
  );
}

export function UpdateChoice({ search: { agentUpdate }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  return (
    <RadioChoice
      label={t('field.agentUpdate')}
      value={agentUpdate ?? ''}
      options={[
        { value: '', label: t('list.anyUpdate') },
        ...updateStates.map((value) => ({ value, label: t(updateTexts[value]) })),
      ]}
      onChange={(value) => onChange({ agentUpdate: updateStates.find((state) => state === value) })}
    />
  );
}

export function PlaceFilter({ search: { located }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  if (!located) return null;
  return (
    <FilterPill label={t('list.anyPlace')} onRemove={() => onChange({ located: undefined })}>
      {t('list.unlocated')}
    </FilterPill>
  );
}
