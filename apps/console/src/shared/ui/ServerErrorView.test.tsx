import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderPart } from '../testing/render-part.tsx';
import { ServerErrorView } from './ServerErrorView.tsx';

afterEach(() => {
  document.head.innerHTML = '';
});

test('the server-error view without an answer is of 500, and says when to come back', () => {
  renderPart(<ServerErrorView status={undefined} />);
  expect(screen.getByRole('main').textContent).toContain('500');
  expect(screen.getByRole('alert').textContent).toContain('Try again in a minute');
  expect(document.title).toBe('Server Error · Pult');
  expect(screen.queryByRole('button')).toBeNull();
});

test('the server-error view leads to the page of the service status where there is one, in a tab of its own', () => {
  const meta = document.createElement('meta');
  meta.name = 'pult:service-status-url';
  meta.content = 'https://status.example.com/';
  document.head.append(meta);
  renderPart(<ServerErrorView status={502} />);
  expect(screen.getByRole('main').textContent).toContain('502');
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'here' });
  expect([link.href, link.target, link.rel]).toEqual([
    'https://status.example.com/',
    '_blank',
    'noopener noreferrer',
  ]);
  expect(screen.getByRole('alert').textContent).toContain('You can check service status here');
});

test('the server-error view offers another try where one is possible', () => {
  const onRetry = vi.fn();
  renderPart(<ServerErrorView status={503} onRetry={onRetry} />);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledOnce();
});
