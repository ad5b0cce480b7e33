import { Button, MultiSelect } from '@mantine/core';
import { auditActionGroups, auditActionsOfOrganizations } from '@pult/contract/values';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListPosition } from '../../../shared/search/use-search-of.ts';
import { isDate } from '../../../shared/time/dates.ts';
import { DateField } from '../../../shared/ui/DateField.tsx';
import { SearchField } from '../../../shared/ui/SearchField.tsx';
import classes from './audit.module.css';
import { type AuditSearch, isPeriodReversed } from './audit-search.ts';

/** What is still being typed asks for nothing yet. */
const isDayOrNone = (day: string) => day === '' || isDate(day);

export function AuditFilters({ list }: { list: ListPosition<AuditSearch> }) {
  const { search, change: onChange } = list;
  const { t } = useTranslation(['audit', 'shared']);
  /** So that what was typed and could not be read goes as well. */
  const [timesCleared, setTimesCleared] = useState(0);
  const { action, user, subject, from, to } = search;
  const groups = Object.entries(auditActionGroups).map(([name, items]) => ({
    group: t(`group.${name as keyof typeof auditActionGroups}`), // Object.entries forgets the keys' type
    items: items.map((action) => ({ value: action, label: t(`action.${action}`) })),
  }));
  return (
    <div className={classes.filters}>
      <MultiSelect
        className={classes.actions}
        aria-label={t('filterActions')}
        placeholder={action.length === 0 ? t('anyAction') : ''}
        data={groups}
        value={[...action]}
        onChange={(chosen) =>
          onChange({ action: auditActionsOfOrganizations.filter((each) => chosen.includes(each)) })
        }
        clearable
        searchable
        hidePickedOptions
        comboboxProps={{ shadow: 'md' }}
      />
      <SearchField label={t('filterUser')} value={user} onChange={(text) => onChange({ user: text })} />
      <SearchField
        label={t('filterSubject')}
        value={subject}
        onChange={(text) => onChange({ subject: text })}
      />
      <div className={classes.period} key={timesCleared}>
        <DateField
          className={classes.day}
          isInline
          label={t('from')}
          value={from}
          onChange={(day) => isDayOrNone(day) && onChange({ from: day })}
        />
        <DateField
          className={classes.day}
          isInline
          label={t('to')}
          value={to}
          error={isPeriodReversed(search) ? t('reversed') : undefined}
          onChange={(day) => isDayOrNone(day) && onChange({ to: day })}
        />
      </div>
      {list.isFiltered && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            list.clear();
            setTimesCleared(timesCleared + 1);
          }}
        >
          {t('list.clear', { ns: 'shared' })}
        </Button>
      )}
    </div>
  );
}
