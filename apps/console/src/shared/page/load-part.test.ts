// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadPart } from './load-part.ts';

const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

function answer(health: () => Promise<Response>) {
  vi.stubGlobal('fetch', vi.fn(health));
  const reload = vi.fn();
  vi.spyOn(window, 'location', 'get').mockReturnValue({ ...window.location, reload });
  return reload;
}

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.restoreAllMocks());

describe('a part of the console that cannot be loaded', () => {
  it('loads the page anew when the server is there: it has a newer console', async () => {
    const reload = answer(async () => new Response('{}'));
    void loadPart(gone);
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  });

  it('a part that cannot be loaded reloads the page once, then fails in words the router does not reload for', async () => {
    const reload = answer(async () => new Response('{}'));
    sessionStorage.setItem('reloadedAt', String(Date.now()));
    await expect(loadPart(gone)).rejects.toThrow('A part of the console did not load.');
    expect(reload).not.toHaveBeenCalled();
  });

  it('keeps the page when the server is away, which a reload would lose', async () => {
    const reload = answer(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(loadPart(gone)).rejects.toThrow('A part of the console did not load.');
    expect(reload).not.toHaveBeenCalled();
  });
});
