import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPart } from '../testing/render-part.tsx';
import { PageTabs } from './PageTabs.tsx';

function show(current: string | undefined) {
  const onOpen = vi.fn();
  const tabs = [
    { name: 'general', label: 'General', content: 'the name' },
    { name: 'members', label: 'Members', content: 'the people' },
  ] as const;
  renderPart(<PageTabs label="Settings" tabs={tabs} current={current} onOpen={onOpen} />);
  return { onOpen };
}

test.each([
  [undefined, 'the name', 'the people'],
  ['general', 'the name', 'the people'],
  ['members', 'the people', 'the name'],
  ['of-old-times', 'the name', 'the people'],
])('a page whose address names the tab %s shows that part alone', (current, shown, other) => {
  show(current);
  expect(screen.getByRole('tabpanel').textContent).toBe(shown);
  expect(screen.queryByText(other)).toBeNull();
});

test('the first tab needs no name in the address', () => {
  const { onOpen } = show('members');
  fireEvent.click(screen.getByRole('tab', { name: 'General' }));
  expect(onOpen).toHaveBeenLastCalledWith(undefined);
});

test('another tab is opened by its name', () => {
  const { onOpen } = show(undefined);
  fireEvent.click(screen.getByRole('tab', { name: 'Members' }));
  expect(onOpen).toHaveBeenLastCalledWith('members');
});
