import { afterEach, expect, test } from 'vitest';
import { readMeta, readServiceStatusUrl } from './meta.ts';

afterEach(() => {
  document.head.innerHTML = '';
});

function setMeta(name: string, content: string) {
  const meta = document.createElement('meta');
  meta.name = `pult:${name}`;
  meta.content = content;
  document.head.append(meta);
}

test('a setting that is absent, empty or still its placeholder counts as none', () => {
  expect(readMeta('service-name')).toBeUndefined();
  setMeta('service-name', '%SERVICE_NAME%');
  expect(readMeta('service-name')).toBeUndefined();
  document.head.innerHTML = '';
  setMeta('service-name', 'Acme');
  expect(readMeta('service-name')).toBe('Acme');
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'status', 'http://', '//host'])(
  'the service status link is never %s',
  (url) => {
    setMeta('service-status-url', url);
    expect(readServiceStatusUrl()).toBeUndefined();
  },
);

test('the service status link is a web address', () => {
  setMeta('service-status-url', 'https://status.example.com/');
  expect(readServiceStatusUrl()).toBe('https://status.example.com/');
});
