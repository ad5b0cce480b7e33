/** Milliseconds: a page in another font is worth more than one that does not come. */
const patience = 1_000;

const families = { text: '"Inter Variable"', mono: '"JetBrains Mono Variable"' } as const;

/**
 * Text that is drawn in another font until its own is there is drawn twice, and all below it moves. `sample`: letters of the alphabets
 * that are needed.
 */
export function loadFont(name: keyof typeof families, sample = 'Aa'): Promise<unknown> {
  // Not in every browser, nor in the tests' one.
  const loading = document.fonts?.load(`16px ${families[name]}`, sample).catch(() => undefined);
  if (loading === undefined) return Promise.resolve();
  return Promise.race([loading, new Promise((resolve) => setTimeout(resolve, patience))]);
}
