import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { changeLocale } from '../i18n/i18n.ts';
import { renderPart } from '../testing/render-part.tsx';
import { DateField } from './DateField.tsx';

interface FormProps {
  initial: string;
  withTime: boolean;
  onChange: (value: string) => void;
}

/** It keeps whatever comes, as forms do. */
function Form({ initial, withTime, onChange }: FormProps) {
  const [value, setValue] = useState(initial);
  const change = (next: string) => {
    onChange(next);
    setValue(next);
  };
  return (
    <>
      <DateField label="Until" withTime={withTime} value={value} onChange={change} />
      <button type="button" onClick={() => setValue('2027-01-02')}>
        Another
      </button>
    </>
  );
}

function show(
  initial: string,
  { locale = 'en', withTime = false }: { locale?: 'ru' | 'en'; withTime?: boolean } = {},
) {
  const onChange = vi.fn();
  renderPart(<Form initial={initial} withTime={withTime} onChange={onChange} />);
  act(() => changeLocale(locale));
  const input = screen.getByLabelText<HTMLInputElement>('Until');
  const type = (value: string) => fireEvent.change(input, { target: { value } });
  return { input, type, onChange };
}

test.each([
  ['ru', '27.11.2026', '27.11.2026'],
  ['ru', '2026-11-27', '27.11.2026'],
  ['en', '27.11.2026', '27 Nov 2026'],
  ['en', 'nov 27, 2026', '27 Nov 2026'],
] as const)(
  'a date is typed in %s as %s, and stands there as %s once the field is left',
  (locale, typed, shown) => {
    const { input, type, onChange } = show('', { locale });
    type(typed);
    expect(onChange).toHaveBeenLastCalledWith('2026-11-27');
    expect(input.value).toBe(typed);
    fireEvent.blur(input);
    expect(input.value).toBe(shown);
  },
);

test('a date field follows the language of the page, not that of the browser', () => {
  const { input } = show('2026-11-27');
  expect(input.value).toBe('27 Nov 2026');
  act(() => changeLocale('ru'));
  expect(input.value).toBe('27.11.2026');
  expect(input.type).toBe('text');
});

test.each([
  ['ru', /^Это не дата\. Напишите, например, \d\d\.\d\d\.\d{4}$/],
  ['en', /^Not a date\. Enter it like \d+ \w+ \d{4}$/],
] as const)(
  'what is no date is told in %s when the field is left, and goes to the form as it is',
  (locale, words) => {
    const { input, type, onChange } = show('', { locale });
    type('31.11.2026');
    expect(screen.queryByText(words)).toBeNull();
    fireEvent.blur(input);
    screen.getByText(words);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(onChange).toHaveBeenLastCalledWith('31.11.2026');
    type('30.11.2026');
    expect(screen.queryByText(words)).toBeNull();
    expect(onChange).toHaveBeenLastCalledWith('2026-11-30');
  },
);

test('a date of the form takes the place of what was typed and not read', () => {
  const { input, type } = show('');
  type('soon');
  fireEvent.blur(input);
  fireEvent.click(screen.getByText('Another'));
  expect(input.value).toBe('2 Jan 2027');
  expect(input.getAttribute('aria-invalid')).not.toBe('true');
});

test.each([
  ['left', fireEvent.blur],
  ['sent by Enter', (input: Element) => fireEvent.keyDown(input, { key: 'Enter' })],
])('a year of two digits is read when the field is %s', (_, end) => {
  const { input, type, onChange } = show('');
  type('27.11.26');
  expect(onChange).toHaveBeenLastCalledWith('27.11.26');
  end(input);
  expect(onChange).toHaveBeenLastCalledWith('2026-11-27');
  expect(input.value).toBe('27 Nov 2026');
});

test('a field that takes a time keeps it', () => {
  const { type, onChange } = show('', { withTime: true });
  type('27.11.2026 14:30');
  expect(onChange).toHaveBeenLastCalledWith('2026-11-27T14:30');
});

test('a field of days leaves a time out', () => {
  const { input, type, onChange } = show('');
  type('27.11.2026 14:30');
  expect(onChange).toHaveBeenLastCalledWith('2026-11-27');
  fireEvent.blur(input);
  expect(input.value).toBe('27 Nov 2026');
});

test.each([
  ['ru', 'Календарь: Until', 'ноябрь 2026', '28 ноября 2026', 'Следующий месяц', '28.11.2026 14:30'],
  ['en', 'Calendar: Until', 'November 2026', '28 November 2026', 'Next month', '28 Nov 2026 14:30'],
] as const)(
  'a day is chosen in a calendar in %s, and the time stays',
  async (locale, open, month, day, next, shown) => {
    const { input, onChange } = show('2026-11-27T14:30', { locale, withTime: true });
    fireEvent.click(screen.getByRole('button', { name: open }));
    const calendar = within(await screen.findByRole('dialog'));
    await calendar.findByRole('button', { name: next });
    expect(calendar.getByText(new RegExp(`^${month}$`, 'i'))).toBeTruthy();
    const chosen = calendar.getByRole('button', { name: day });
    // By the keyboard one begins at the day that stands in the field, each time.
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^27 /));
    fireEvent.click(chosen);
    expect(onChange).toHaveBeenLastCalledWith('2026-11-28T14:30');
    expect(input.value).toBe(shown);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: open }));
    await screen.findByRole('dialog');
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^28 /);
  },
);
