const storageName = 'reloadedAt';
/** Within this, a second failure is no longer one of an old page. */
const quietTime = 10_000;

/**
 * After an update of the server the parts that an open page has not loaded yet are gone; the page is loaded anew,
 * once, as otherwise a broken server would keep it loading for ever.
 */
export function reloadStalePage(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(storageName) ?? 0);
    if (Date.now() - last < quietTime) return;
    event.preventDefault();
    sessionStorage.setItem(storageName, String(Date.now()));
    window.location.reload();
  });
}
