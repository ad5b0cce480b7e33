import { renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { formatTitle, useDocumentTitle } from './title.ts';

afterEach(() => {
  document.head.innerHTML = '';
});

// spec: 1.12
test('spec 1: the title is the given title, a separator and the brand', () => {
  expect(formatTitle('Controllers', 'Pult')).toBe('Controllers · Pult');
});

// spec: 1.12
test('spec 1: without a title it is the brand alone', () => {
  expect(formatTitle(undefined, 'Pult')).toBe('Pult');
  expect(formatTitle('', 'Pult')).toBe('Pult');
});

test('spec 1: the brand of the installation alone is the title again once a page with one has gone', () => {
  document.head.innerHTML = '<meta name="pult:service-name" content="Boiler Watch">';
  const { rerender, unmount } = renderHook(({ title }) => useDocumentTitle(title), {
    initialProps: { title: 'Map' as string | undefined },
  });
  expect(document.title).toBe('Map · Boiler Watch');
  rerender({ title: undefined });
  expect(document.title).toBe('Boiler Watch');
  rerender({ title: 'List' });
  unmount();
  expect(document.title).toBe('Boiler Watch');
});
