import '@mantine/dates/styles.css';
import 'dayjs/locale/ru';
import { DatePicker } from '@mantine/dates';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../i18n/i18n.ts';

interface Props {
  /** As `2026-11-27`; undefined while none is chosen. */
  day: string | undefined;
  min: string | undefined;
  max: string | undefined;
  onChoose: (day: string) => void;
}

/** A month of days in the language of the page, for the keyboard as well. Loaded when somebody opens it. */
export function DayCalendar({ day, min, max, onChoose }: Props) {
  const { t } = useTranslation('shared');
  const locale = useLocale();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The chosen day, today, or the first one that may be chosen; after what traps the focus has put it on the first button.
    const timer = setTimeout(() => root.current?.querySelector<HTMLElement>('td [tabindex="0"]')?.focus());
    return () => clearTimeout(timer);
  }, []);
  return (
    <DatePicker
      ref={root}
      locale={locale}
      value={day ?? null}
      {...(day === undefined ? {} : { defaultDate: day })}
      {...(min === undefined ? {} : { minDate: min })}
      {...(max === undefined ? {} : { maxDate: max })}
      onChange={(chosen) => chosen !== null && onChoose(chosen)}
      highlightToday
      hideOutsideDates
      // A dialog around it would close at Escape together with the calendar.
      __stopPropagation
      ariaLabels={{
        monthLevelControl: t('date.monthLevel'),
        yearLevelControl: t('date.yearLevel'),
        previousMonth: t('date.previousMonth'),
        nextMonth: t('date.nextMonth'),
        previousYear: t('date.previousYear'),
        nextYear: t('date.nextYear'),
        previousDecade: t('date.previousDecade'),
        nextDecade: t('date.nextDecade'),
      }}
    />
  );
}
