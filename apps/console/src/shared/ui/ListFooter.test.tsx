import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPart } from '../testing/render-part.tsx';
import { ListFooter } from './ListFooter.tsx';

function show(search: { page: number; pageSize: number }, total: number, pageSizes?: readonly number[]) {
  const onChange = vi.fn();
  const sizes = pageSizes ? { pageSizes } : {};
  const { container } = renderPart(
    <ListFooter search={search} total={total} onChange={onChange} {...sizes} />,
  );
  const select = () => screen.queryByRole('combobox', { name: 'Rows per page' });
  return { onChange, select, text: () => container.querySelector('.tabular')?.textContent };
}

test.each([
  ['the first page of many', { page: 1, pageSize: 25 }, 60, '1–25 of 60'],
  ['the last page, which is shorter', { page: 3, pageSize: 25 }, 60, '51–60 of 60'],
  ['a page as long as the server makes it', { page: 2, pageSize: 0 }, 1200, '26–50 of 1,200'],
  ['a page that has all rows, of more than the fewest', { page: 1, pageSize: 100 }, 60, '1–60 of 60'],
  ['a page past the end', { page: 9, pageSize: 25 }, 60, '60–60 of 60'],
])('the footer of a list says where one is: %s', (_, search, total, text) => {
  expect(show(search, total).text()).toBe(text);
});

test.each([0, 1, 6, 25])('a list of %d rows has no footer', (total) => {
  expect(show({ page: 1, pageSize: 0 }, total).text()).toBeUndefined();
});

test('a list of one page has no pages to choose from, one row more has two', () => {
  show({ page: 1, pageSize: 25 }, 25);
  expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull();
  const { onChange } = show({ page: 1, pageSize: 25 }, 26);
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ page: 2 });
  expect(screen.getByRole('button', { name: 'Previous page' })).toHaveProperty('disabled', true);
});

test('the rows of a page can be chosen where there are more than the fewest', () => {
  expect(show({ page: 1, pageSize: 25 }, 25).select()).toBeNull();
  expect(show({ page: 1, pageSize: 25 }, 26).select()).not.toBeNull();
});

test('another number of rows begins at the first page; the usual one is not written into the address', () => {
  const { onChange, select } = show({ page: 4, pageSize: 50 }, 600);
  const field = select();
  if (!field) throw new Error('there is no choice of rows');
  fireEvent.change(field, { target: { value: '100' } });
  expect(onChange).toHaveBeenLastCalledWith({ page: 1, pageSize: 100 });
  fireEvent.change(field, { target: { value: '25' } });
  expect(onChange).toHaveBeenLastCalledWith({ page: 1, pageSize: 0 });
});

test('a number of rows that only the address knows is offered too, in its place', () => {
  const { select } = show({ page: 1, pageSize: 30 }, 600, [10, 50]);
  const options = [...(select()?.querySelectorAll('option') ?? [])].map(({ textContent }) => textContent);
  expect(options).toEqual(['10', '30', '50']);
});
