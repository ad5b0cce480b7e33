import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useColumns } from './use-columns.ts';

const open = (width: number) => renderHook(() => useColumns(width)).result;

test('the columns that are hidden are those that do not fit, until somebody chooses', () => {
  expect(open(1400).current.hidden).toEqual([]);
  expect(open(908).current.hidden).toEqual([
    'firmware_version',
    'agent_version',
    'connection_kind',
    'month_traffic',
  ]);
  // Nothing is known yet.
  expect(open(0).current.hidden).toEqual([]);
});

test('a column that is ticked is shown whether it fits or not, also after a reload, until the choice is taken back', () => {
  const columns = open(908);
  act(() => columns.current.toggle('firmware_version'));
  const left = ['agent_version', 'connection_kind', 'month_traffic'];
  expect(columns.current.chosen).toEqual(left);
  expect(open(1400).current.hidden).toEqual(left);
  act(() => columns.current.reset());
  expect(columns.current.chosen).toBeUndefined();
  expect(open(1400).current.hidden).toEqual([]);
});
