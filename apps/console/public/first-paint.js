// Sets language and colour scheme before the first paint, so that a stored choice never flashes the other one.
// The names match src/shared/preferences and src/shared/i18n/locale.ts.
(() => {
  const read = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const root = document.documentElement;
  const scheme = read('colorScheme');
  const dark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  const language = read('locale') ?? navigator.language.slice(0, 2);
  root.lang = language === 'ru' ? 'ru' : 'en';
})();
