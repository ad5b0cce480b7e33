import { useMantineColorScheme } from '@mantine/core';
import { type Locale, locales, type Organization } from '@pult/contract';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs';
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs';
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs';
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../shared/i18n/i18n.ts';
import { paths } from '../../shared/paths.ts';
import { useChangeLanguage } from '../../shared/preferences/use-change-language.ts';
import { useLogout } from '../shell/use-logout.ts';
import { useSections } from '../shell/use-sections.ts';
import type { PaletteSection, PlainItem } from './palette-items.ts';
import type { Go } from './use-go.ts';

const languages: Record<Locale, string> = { ru: 'Русский', en: 'English' };
const schemes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const;

interface Options {
  organization: Organization | undefined;
  organizations: readonly Organization[] | undefined;
  go: Go;
  close: () => void;
}

/** Where one can go and what one can do from anywhere; nothing of it needs the server to be found. */
export function useCommands({ organization, organizations = [], go, close }: Options): PaletteSection[] {
  const { t } = useTranslation(['palette', 'app']);
  const sections = useSections(organization);
  const locale = useLocale();
  const changeLanguage = useChangeLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const logout = useLogout();

  const plain = (id: string, label: string, Icon: PlainItem['Icon'], run: () => void): PlainItem => ({
    kind: 'plain',
    id,
    label,
    Icon,
    run,
  });
  const thenClose = (run: () => void) => () => {
    close();
    run();
  };
  const pages = sections.map(({ to, search = {}, Icon, label, reason }, index) => ({
    ...plain(`page-${index}`, label, Icon, () => go(to, search)),
    reason,
  }));
  // Without an open organization their list is among the sections already.
  if (organization) {
    pages.push({
      ...plain('all', t('allOrganizations', { ns: 'app' }), IconBuilding, () => go(paths.organizations())),
      reason: undefined,
    });
  }
  pages.push({
    ...plain('security', t('security', { ns: 'app' }), IconShieldLock, () => go(paths.security())),
    reason: undefined,
  });
  return [
    { name: 'pages', items: pages },
    {
      name: 'organizations',
      items: organizations
        .filter(({ id }) => id !== organization?.id)
        .map(({ id, name }) =>
          plain(`organization-${id}`, name, IconBuilding, () => go(paths.controllers(id))),
        ),
    },
    {
      name: 'commands',
      items: [
        ...locales
          .filter((each) => each !== locale)
          .map((each) =>
            plain(
              `language-${each}`,
              t('command.language', { language: languages[each] }),
              IconLanguage,
              thenClose(() => changeLanguage(each)),
            ),
          ),
        ...(['light', 'dark', 'auto'] as const)
          .filter((each) => each !== colorScheme)
          .map((each) =>
            plain(
              `theme-${each}`,
              t(`command.${each}`),
              schemes[each],
              thenClose(() => setColorScheme(each)),
            ),
          ),
        plain(
          'logout',
          t('logout', { ns: 'app' }),
          IconLogout,
          thenClose(() => logout.mutate()),
        ),
      ],
    },
  ];
}
