import { afterEach, describe, expect, it, vi } from 'vitest';
import { openLink, safeLink } from './safe-link.ts';

afterEach(() => vi.restoreAllMocks());

describe('links in the terminal', () => {
  it.each(['http://192.168.1.1/', 'https://example.com/a?b=c'])('%s may be opened', (address) => {
    expect(safeLink(address)).toBe(address);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'vscode://open',
    ' javascript:alert(1)//http://',
    'https://bank.example@evil.example/',
    'http://',
  ])('%s may not', (address) => {
    expect(safeLink(address)).toBeUndefined();
  });

  it('open in a tab that knows nothing of the console', () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    openLink('https://example.com/');
    openLink('javascript:alert(1)');
    expect(open.mock.calls).toEqual([['https://example.com/', '_blank', 'noopener,noreferrer']]);
  });
});
