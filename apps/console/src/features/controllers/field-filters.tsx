import { Menu, Pill, TextInput } from '@mantine/core';
import type { StatusCounts } from '@pult/contract';
import { connectionKinds, connectionKindTable, controllerStatuses, limits } from '@pult/contract/values';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../shared/i18n/i18n.ts';
import { useFormat } from '../../shared/i18n/use-format.ts';
import type { ValuesOf } from '../../shared/search/define-search.ts';
import { flag, integer, named, oneOf, type SearchPart, text } from '../../shared/search/search-parts.ts';
import { useTyped } from '../../shared/ui/use-typed.ts';
import classes from './components/fields.module.css';
import type { ru } from './messages.ts';

/** Exactly this version; null: those that reported none. */
const firmware: SearchPart<string | null> = {
  initial: '',
  parameters: ['firmware', 'firmware_known'],
  read: (raw) => (raw.firmware_known === 'false' ? null : text().read(raw, 'firmware')),
  write: (version) => (version === null ? { firmware_known: 'false' } : text().write(version, 'firmware')),
  ask: (version) => ({
    firmware: version || undefined,
    firmware_known: version === null ? false : undefined,
  }),
};

/** Any of these versions of the agent, exactly. */
const agents: SearchPart<readonly string[]> = {
  initial: [],
  parameters: ['agent'],
  read: ({ agent }) =>
    typeof agent === 'string' || typeof agent === 'number'
      ? String(agent)
          .split(',')
          .filter((version) => version.trim() !== '' && version.length <= limits.versionLength)
          .slice(0, limits.versionsPerFilter)
      : [],
  write: (versions): Record<string, string> => (versions.length > 0 ? { agent: versions.join(',') } : {}),
};

/** As the API's query has them. */
const updateStates = ['waiting,running', 'returned,failed'] as const;

/** What the address says of the fields by which the list is narrowed. */
export const fieldFilters = {
  status: oneOf(controllerStatuses),
  firmware,
  connectionKind: oneOf(connectionKinds),
  /** What the text of the field has in it (spec-coverage: The controllers list by serial_number). */
  serialNumber: text(),
  description: text(),
  groupName: text(),
  firmwareVersion: text(),
  agentVersion: text(),
  /** Whose agent's update is under way, or did not get there. */
  agentUpdate: named('agent_update', oneOf(updateStates)),
  agents,
  /** Only those that are offline for so many minutes; 0: any. */
  offlineMinutes: named('offline_minutes_min', integer(0, limits.offlineMinutesMax)),
  /** Only those without coordinates. */
  unlocated: named('located', flag('false')),
  /** Only those with at least so many bytes in this calendar month; 0: with any. */
  monthTraffic: named('month_traffic_min', integer(0, limits.trafficBudgetMax)),
};
export type FieldFilters = ValuesOf<typeof fieldFilters>;

export interface FilterProps {
  search: FieldFilters;
  onChange: (changes: Partial<FieldFilters>) => void;
  counts: StatusCounts | undefined;
}

export function FirmwareFilter({ search: { firmware: version }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  if (version === '') return null;
  return (
    <FilterPill label={t('list.anyFirmware')} onRemove={() => onChange({ firmware: '' })}>
      {version === null ? t('list.firmwareUnknown') : t('list.firmware', { version })}
    </FilterPill>
  );
}

export type FieldLabel = `field.${keyof typeof ru.field}`;
interface TextProps extends FilterProps {
  name: 'serialNumber' | 'description' | 'groupName' | 'firmwareVersion' | 'agentVersion';
  label: FieldLabel;
}

export function TextFilter({ name, label, search: { [name]: value }, onChange }: TextProps) {
  const { t } = useTranslation('controllers');
  if (value === '') return null;
  const field = t(label);
  return (
    <FilterPill label={t('list.anyText', { field })} onRemove={() => onChange({ [name]: '' })}>
      {t('list.contains', { field, text: value })}
    </FilterPill>
  );
}

export function TextChoice({ name, label, search: { [name]: value }, onChange }: TextProps) {
  const { t } = useTranslation('controllers');
  // The menu may be closed before the pause.
  const { typed, type } = useTyped(value, (text) => onChange({ [name]: text }), { isFleeting: true });
  return (
    <TextInput
      px="sm"
      py={4}
      size="xs"
      placeholder={t(label)}
      aria-label={t(label)}
      maxLength={limits.filterLength}
      value={typed}
      onKeyDown={(event) => {
        // The menu would look for an entry that begins so, and go to it.
        if (event.key !== 'Escape' && event.key !== 'Tab') event.stopPropagation();
      }}
      onChange={(event) => type(event.currentTarget.value)}
    />
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

export function OfflineFilter({ search: { offlineMinutes }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  const sayAbsence = useAbsence();
  if (offlineMinutes === 0) return null;
  return (
    <FilterPill label={t('list.offlineAny')} onRemove={() => onChange({ offlineMinutes: 0 })}>
      {sayAbsence(offlineMinutes)}
    </FilterPill>
  );
}

export function OfflineChoice({ search: { offlineMinutes }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  const sayAbsence = useAbsence();
  return (
    <>
      <Menu.Label>{t('field.lastSeen')}</Menu.Label>
      <Menu.RadioGroup
        value={String(offlineMinutes)}
        onChange={(minutes) => onChange({ offlineMinutes: Number(minutes) })}
      >
        <Menu.RadioItem value="0">{t('list.anyTime')}</Menu.RadioItem>
        {absences.map((minutes) => (
          <Menu.RadioItem key={minutes} value={String(minutes)}>
            {sayAbsence(minutes)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

const updateTexts = {
  'waiting,running': 'list.updateUnderWay',
  'returned,failed': 'list.updateFailed',
} as const;

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
    <>
      <Menu.Label>{t('field.agentUpdate')}</Menu.Label>
      <Menu.RadioGroup
        value={agentUpdate ?? ''}
        onChange={(value) => onChange({ agentUpdate: updateStates.find((state) => state === value) })}
      >
        <Menu.RadioItem value="">{t('list.anyUpdate')}</Menu.RadioItem>
        {updateStates.map((state) => (
          <Menu.RadioItem key={state} value={state}>
            {t(updateTexts[state])}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

export function PlaceFilter({ search: { unlocated }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  if (!unlocated) return null;
  return (
    <FilterPill label={t('list.anyPlace')} onRemove={() => onChange({ unlocated: false })}>
      {t('list.unlocated')}
    </FilterPill>
  );
}

export function TrafficFilter({ search: { monthTraffic }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  const { formatBytes } = useFormat();
  if (monthTraffic === 0) return null;
  return (
    <FilterPill label={t('list.anyTraffic')} onRemove={() => onChange({ monthTraffic: 0 })}>
      {t('list.trafficFrom', { size: formatBytes(monthTraffic) })}
    </FilterPill>
  );
}

export function ConnectionFilter({ search: { connectionKind }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  const locale = useLocale();
  if (!connectionKind) return null;
  return (
    <FilterPill label={t('list.showAnyConnection')} onRemove={() => onChange({ connectionKind: undefined })}>
      {`${t('field.connection')}: ${connectionKindTable[connectionKind].label[locale]}`}
    </FilterPill>
  );
}

export function ConnectionChoice({ search: { connectionKind }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  const locale = useLocale();
  return (
    <>
      <Menu.Label>{t('field.connection')}</Menu.Label>
      <Menu.RadioGroup
        value={connectionKind ?? ''}
        onChange={(value) => onChange({ connectionKind: connectionKinds.find((kind) => kind === value) })}
      >
        <Menu.RadioItem value="">{t('list.anyConnection')}</Menu.RadioItem>
        {connectionKinds.map((kind) => (
          <Menu.RadioItem key={kind} value={kind}>
            {connectionKindTable[kind].label[locale]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

/** 10 MB, 100 MB, 1 GB and 10 GB a month, as the console writes bytes: a question on a line that is paid for by the megabyte. */
const sizes = [10 * 1024 ** 2, 100 * 1024 ** 2, 1024 ** 3, 10 * 1024 ** 3];

export function TrafficChoice({ search: { monthTraffic }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  const { formatBytes } = useFormat();
  return (
    <>
      <Menu.Label>{t('field.monthTraffic')}</Menu.Label>
      <Menu.RadioGroup
        value={String(monthTraffic)}
        onChange={(bytes) => onChange({ monthTraffic: Number(bytes) })}
      >
        <Menu.RadioItem value="0">{t('list.anySize')}</Menu.RadioItem>
        {sizes.map((bytes) => (
          <Menu.RadioItem key={bytes} value={String(bytes)}>
            {t('list.sizeFrom', { size: formatBytes(bytes) })}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

interface PillProps {
  label: string;
  onRemove: () => void;
  children: ReactNode;
}

/** A filter that has no field above the list: it came with a link, or from a menu. */
export function FilterPill({ label, onRemove, children }: PillProps) {
  return (
    <Pill
      size="lg"
      className={classes.pill ?? ''}
      withRemoveButton
      removeButtonProps={{ 'aria-label': label, 'aria-hidden': false, tabIndex: 0 }}
      onRemove={onRemove}
    >
      {children}
    </Pill>
  );
}
