import { ActionIcon } from '@mantine/core';
import { type Controller, isAllowed, lifetimes } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconChevronLeft } from '../../../shared/icons/IconChevronLeft.ts';
import { IconChevronRight } from '../../../shared/icons/IconChevronRight.ts';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { Section, SettingSections } from '../../../shared/ui/Section.tsx';
import { monthOf, shiftMonth } from '../months.ts';
import { trafficQuery, useSetControllerBudget } from '../queries.ts';
import { BudgetForm } from './BudgetForm.tsx';
import { BudgetUse } from './BudgetUse.tsx';
import { SaverSetting } from './SaverSetting.tsx';
import { TrafficChart } from './TrafficChart.tsx';
import classes from './traffic.module.css';

/** What a controller has moved, by day and by what it was for, and what it may move in a month. */
export function TrafficTab({
  controller,
}: {
  controller: Pick<Controller, 'serialNumber' | 'userRole' | 'connectionKind' | 'activatedAt'>;
}) {
  const { t } = useTranslation(['traffic', 'shared']);
  const { formatDate } = useFormat();
  const { serialNumber, userRole } = controller;
  const [now] = useState(() => Date.now());
  const current = monthOf(now);
  const first = monthOf(now - lifetimes.traffic * 1000);
  const [month, setMonth] = useState(current);
  const query = useQuery(trafficQuery(serialNumber, month));
  const { data } = query;
  const set = useSetControllerBudget(serialNumber);
  const reason = isAllowed(userRole, 'traffic.manage') ? undefined : t('roleTooWeak.admin', { ns: 'shared' });
  const name = formatDate(`${month}-01T00:00:00Z`, 'utcMonth');
  const step = (by: -1 | 1, label: string, limit: string) => (
    <ActionIcon
      variant="default"
      size={30}
      aria-label={label}
      disabled={month === limit}
      onClick={() => setMonth(shiftMonth(month, by))}
    >
      {by < 0 ? <IconChevronLeft size={16} /> : <IconChevronRight size={16} />}
    </ActionIcon>
  );
  return (
    <>
      <Section
        title={t('title')}
        description={t('text')}
        actions={
          <div className={classes.months}>
            {step(-1, t('earlier'), first)}
            <span className={classes.month} aria-live="polite">
              {name}
            </span>
            {step(1, t('later'), current)}
          </div>
        }
      >
        <QueryState query={query} failure={t('loadFailed')} rows={4}>
          {(traffic) => (
            <div className={classes.shown} data-old={query.isPlaceholderData || undefined}>
              <BudgetUse traffic={traffic} />
              <TrafficChart traffic={traffic} since={Date.parse(controller.activatedAt)} />
            </div>
          )}
        </QueryState>
      </Section>
      {data && (
        <SettingSections>
          <Section title={t('budget.title')} description={t('budget.text')}>
            <BudgetForm
              own={data.budget?.group === null ? data.budget.bytes : null}
              inherited={data.budget?.group ? data.budget : null}
              reason={reason}
              isPending={set.isPending}
              onSave={(bytes, onSuccess) => set.mutate(bytes, { onSuccess })}
            />
          </Section>
          <SaverSetting controller={controller} isSaving={data.isSaving} />
        </SettingSections>
      )}
    </>
  );
}
