/** A screen of a desk, as a test's browser has none: whatever asks for a least width gets it. */
export function showWideScreen(): void {
  window.matchMedia = ((query: string) => ({
    matches: query.startsWith('(min-width'),
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })) as unknown as typeof window.matchMedia; // only what the page asks for
}

/** A phone: whatever asks for a greatest width gets it. */
export function showPhoneScreen(): void {
  window.matchMedia = ((query: string) => ({
    matches: query.startsWith('(max-width'),
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })) as unknown as typeof window.matchMedia; // only what the page asks for
}
