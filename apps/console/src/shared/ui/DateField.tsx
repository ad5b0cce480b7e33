import { ActionIcon, Popover, Skeleton, TextInput } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../i18n/i18n.ts';
import { IconCalendar } from '../icons/IconCalendar.ts';
import { loadPart } from '../page/load-part.ts';
import { addDays, isDate, toDay } from '../time/dates.ts';
import { readDate, writeDate } from '../time/typed-date.ts';

const DayCalendar = lazy(async () => ({
  default: (await loadPart(() => import('./DayCalendar.tsx'))).DayCalendar,
}));

interface Props {
  label: string;
  /** The label stands within the field, as in a row of filters. */
  isInline?: boolean;
  className?: string | undefined;
  description?: string;
  /** `2026-11-27`, or `2026-11-27T14:30` where there may be a time; '' for none. */
  value: string;
  /** What is no date comes as it was typed (`isDate`), and is told here once the field is left. */
  onChange: (value: string) => void;
  withTime?: boolean;
  /** Days. */
  min?: string;
  max?: string;
  error?: ReactNode;
}

/** What somebody is typing or has left unread, and the values beside which it stands: any other one takes its place. */
interface Typed {
  text: string;
  beside: readonly string[];
  isLeft: boolean;
}

/** A date typed in the language of the page, or chosen in a calendar. The browser's own field would follow the browser's language. */
export function DateField({ label, isInline = false, value, onChange, withTime = false, ...props }: Props) {
  const { t } = useTranslation('shared');
  const locale = useLocale();
  const [held, setHeld] = useState<Typed>();
  const [isOpen, setOpen] = useState(false);
  const typed = held?.beside.includes(value) ? held : undefined;
  const text = typed?.text ?? (isDate(value) ? writeDate(value, locale) : value);
  const day = isDate(value) ? value.slice(0, 10) : undefined;
  const example = writeDate(toDay(addDays(new Date(), 7)) + (withTime ? 'T14:30' : ''), locale);

  const read = (from: string, isTyping: boolean) => {
    const date = readDate(from, { isTyping });
    return withTime ? date : date?.slice(0, 10);
  };
  const type = (next: string) => {
    const result = read(next, true) ?? next.trim();
    setHeld({ text: next, beside: [value, result], isLeft: false });
    if (result !== value) onChange(result);
  };
  /** Writes it as all dates are written. */
  const settle = () => {
    if (!typed) return;
    const result = typed.text.trim() === '' ? '' : read(typed.text, false);
    setHeld(result === undefined ? { ...typed, isLeft: true } : undefined);
    if (result !== undefined && result !== value) onChange(result);
  };
  const choose = (chosen: string) => {
    setOpen(false);
    setHeld(undefined);
    onChange(withTime && isDate(value) ? chosen + value.slice(10) : chosen);
  };
  return (
    <TextInput
      {...(isInline
        ? { 'aria-label': label, leftSection: label, leftSectionWidth: 46 }
        : { label, inputWrapperOrder: ['label', 'input', 'description', 'error'] as const })}
      className={props.className ?? ''}
      description={props.description}
      error={typed?.isLeft ? t('date.unread', { example }) : props.error}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={settle}
      // Before the form is sent.
      onKeyDown={(event) => event.key === 'Enter' && settle()}
      placeholder={isInline ? undefined : example}
      autoComplete="off"
      spellCheck={false}
      rightSection={
        <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus returnFocus>
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('date.open', { label })}
              onClick={() => setOpen(!isOpen)}
            >
              <IconCalendar size={16} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <Suspense fallback={<Skeleton width={252} height={288} />}>
              <DayCalendar day={day} min={props.min} max={props.max} onChoose={choose} />
            </Suspense>
          </Popover.Dropdown>
        </Popover>
      }
    />
  );
}
