import { vi } from 'vitest';

function showScreen(limit: 'min-width' | 'max-width'): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.startsWith(`(${limit}`),
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

/** A screen of a desk, as a test's browser has none: whatever asks for a least width gets it. */
export const showWideScreen = () => showScreen('min-width');

/** A phone: whatever asks for a greatest width gets it. */
export const showPhoneScreen = () => showScreen('max-width');
