import { locales } from '@pult/contract';
import i18next from 'i18next';
import { loadPart } from '../../shared/page/load-part.ts';

/** Adds the texts of the pages that need a login, which the login page does without. */
export async function loadInsideTexts(): Promise<void> {
  if (i18next.hasResourceBundle(locales[0], 'organizations')) return;
  const { insideNamespaces } = await loadPart(() => import('../inside-messages.ts'));
  for (const [name, texts] of Object.entries(insideNamespaces)) {
    for (const locale of locales) i18next.addResourceBundle(locale, name, texts[locale]);
  }
}
