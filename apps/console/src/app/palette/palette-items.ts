import { useMantineColorScheme } from '@mantine/core';
import {
  type Controller,
  type FoundGroup,
  type Locale,
  locales,
  type Organization,
  type PageProtocol,
} from '@pult/contract';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useExplainConnect } from '../../features/controllers/use-connect-reason.ts';
import { tunnelKinds } from '../../features/tunnels/kinds/index.ts';
import { useLocale } from '../../shared/i18n/i18n.ts';
import { IconArrowRight } from '../../shared/icons/IconArrowRight.ts';
import { IconBuilding } from '../../shared/icons/IconBuilding.ts';
import { IconCopy } from '../../shared/icons/IconCopy.ts';
import { IconDeviceDesktop } from '../../shared/icons/IconDeviceDesktop.ts';
import { IconFolder } from '../../shared/icons/IconFolder.ts';
import { IconLanguage } from '../../shared/icons/IconLanguage.ts';
import { IconLogout } from '../../shared/icons/IconLogout.ts';
import { IconMoon } from '../../shared/icons/IconMoon.ts';
import type { IconSearch } from '../../shared/icons/IconSearch.ts';
import { IconSquarePlus } from '../../shared/icons/IconSquarePlus.ts';
import { IconSun } from '../../shared/icons/IconSun.ts';
import { IconUserCircle } from '../../shared/icons/IconUserCircle.ts';
import { paths } from '../../shared/paths.ts';
import { useChangeLanguage } from '../../shared/preferences/LanguageSwitch.tsx';
import { copyText } from '../../shared/ui/copy-text.ts';
import { useLogout } from '../shell/use-logout.ts';
import { useSections } from '../shell/use-sections.ts';
import { enterModifiers } from './palette-state.ts';

interface Item {
  /** Its own among all that are shown. */
  id: string;
  run: () => void;
  /** Why it cannot be done now. */
  reason?: string | undefined;
}

export interface ControllerItem extends Item {
  kind: 'controller';
  controller: Controller;
}

export interface GroupItem extends Item {
  kind: 'group';
  group: FoundGroup;
}

/** A page, an organization, a command. */
export interface PlainItem extends Item {
  kind: 'plain';
  label: string;
  /** By which it is found besides: what others call it. */
  words?: string;
  Icon: typeof IconSearch;
  /** The keys that do the same without a list of actions. */
  keys?: string | undefined;
}

export type PaletteItem = ControllerItem | GroupItem | PlainItem;

type SectionName =
  | 'recent'
  | 'controllers'
  | 'groups'
  | 'pages'
  | 'places'
  | 'organizations'
  | 'commands'
  | 'actions';

export interface PaletteSection {
  name: SectionName;
  items: PaletteItem[];
}

export type Go = (to: string, search?: Record<string, string>, hash?: string) => void;

/** Leaves for a page of the console, and the palette with it. */
export function useGo(close: () => void): Go {
  const router = useRouter();
  return (to, search = {}, hash) => {
    close();
    void router.navigate({ to, search, ...(hash === undefined ? {} : { hash }) });
  };
}

export type ActionName = 'open' | PageProtocol | 'group' | 'copy';
export type Action = PlainItem & { name: ActionName };

interface ActionOptions {
  go: Go;
  close: () => void;
  tell: (notice: string) => void;
}

/** What can be done with a controller from the palette; what cannot be done now says why. */
export function useActions({ go, close, tell }: ActionOptions): (controller: Controller) => Action[] {
  const { t } = useTranslation(['palette', 'tunnelKinds']);
  const explainConnect = useExplainConnect();
  return (controller) => {
    const { serialNumber, organization, group } = controller;
    const reason = explainConnect(controller);
    const action = (name: ActionName, label: string, Icon: PlainItem['Icon'], run: () => void): Action => ({
      kind: 'plain',
      id: `action-${name}`,
      name,
      label,
      Icon,
      run,
    });
    const openTab = (address: string) => {
      close();
      window.open(address, '_blank', 'noopener');
    };
    const copy = async () => {
      const isCopied = await copyText(serialNumber);
      tell(t(isCopied ? 'copied' : 'copyFailed', { serialNumber }));
    };
    return [
      {
        ...action('open', t('action.open'), IconArrowRight, () =>
          go(paths.controller(organization.id, serialNumber)),
        ),
        keys: '↵',
      },
      ...tunnelKinds.map(({ name, Icon, opensTab, modifier }) => ({
        ...action(name, t(`kind.${name}.name`, { ns: 'tunnelKinds' }), Icon, () =>
          (opensTab ? openTab : go)(paths.connect(name, serialNumber)),
        ),
        reason,
        keys: modifier && enterModifiers[modifier].keys,
      })),
      ...(group
        ? [
            action('group', t('action.group', { name: group.name }), IconFolder, () =>
              go(paths.controllers(organization.id), { group_ids: group.id }),
            ),
          ]
        : []),
      action('copy', t('action.copy'), IconCopy, () => void copy()),
    ];
  };
}

const languages: Record<Locale, string> = { ru: 'Русский', en: 'English' };
const schemes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const;

interface CommandOptions {
  organization: Organization | undefined;
  organizations: readonly Organization[] | undefined;
  go: Go;
  close: () => void;
}

/** Where one can go and what one can do from anywhere; nothing of it needs the server to be found. */
export function useCommands({
  organization,
  organizations = [],
  go,
  close,
}: CommandOptions): PaletteSection[] {
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
  const pages = sections.map(({ to, Icon, label }, index) =>
    plain(`page-${index}`, label, Icon, () => go(to)),
  );
  // Without an open organization their list is among the sections already.
  if (organization) {
    pages.push(
      plain('all', t('allOrganizations', { ns: 'app' }), IconBuilding, () => go(paths.organizations())),
    );
  }
  pages.push(plain('security', t('account', { ns: 'app' }), IconUserCircle, () => go(paths.security())));
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
        plain('add-controller', t('command.addController'), IconSquarePlus, () => go(paths.addController())),
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
