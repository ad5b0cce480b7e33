import { afterEach, expect, test, vi } from 'vitest';
import { copyText } from './copy-text.ts';

afterEach(() => {
  document.body.innerHTML = '';
});

function stubPage(isSecure: boolean, writeText: () => Promise<void>) {
  vi.stubGlobal('isSecureContext', isSecure);
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  const source = document.createElement('code');
  source.textContent = 'pult';
  document.body.append(source);
  return source;
}

test('a secure page copies by the clipboard', async () => {
  const writeText = vi.fn(async () => undefined);
  expect(await copyText('pult', stubPage(true, writeText))).toBe(true);
  expect(writeText).toHaveBeenCalledExactlyOnceWith('pult');
});

test.each([
  ['plain http on a local network', false],
  ['a clipboard that refuses', true],
])('%s falls back to the selection', async (_, isSecure) => {
  const source = stubPage(isSecure, () => Promise.reject(new Error('denied')));
  const command = vi.fn(() => true);
  Object.defineProperty(document, 'execCommand', { configurable: true, value: command });
  expect(await copyText('pult', source)).toBe(true);
  expect(command).toHaveBeenCalledExactlyOnceWith('copy');
  expect(window.getSelection()?.toString()).toBe('pult');
});

test('the text stays selected and the caller knows when nothing copies', async () => {
  const source = stubPage(false, async () => undefined);
  Object.defineProperty(document, 'execCommand', { configurable: true, value: () => false });
  expect(await copyText('pult', source)).toBe(false);
  expect(window.getSelection()?.toString()).toBe('pult');
});
