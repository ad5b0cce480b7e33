import type { Organization } from '@pult/contract';
import IconList from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/paths.ts';
import { isLikely, matches } from './matching.ts';
import type { ControllerItem, PaletteItem, PaletteSection } from './palette-items.ts';
import { useCommands } from './use-commands.ts';
import { type Found, useFound } from './use-found.ts';
import type { Go } from './use-go.ts';
import { useRecent } from './use-recent.ts';

interface Options {
  /** Trimmed. */
  text: string;
  organization: Organization | undefined;
  organizations: readonly Organization[] | undefined;
  go: Go;
  close: () => void;
}

/** Of one kind: the palette is no list, and what stands below must be in reach. */
const shown = { controllers: 10, groups: 5, organizations: 6 };

/** Everything that fits the text, in sections, what is meant most probably first. */
export function usePaletteSections(options: Options): { sections: PaletteSection[]; found: Found } {
  const { text, organization, go } = options;
  const { t } = useTranslation('palette');
  const found = useFound(text);
  const recent = useRecent();
  const commands = useCommands(options);

  const toItem = (controller: ControllerItem['controller']): ControllerItem => ({
    kind: 'controller',
    id: `controller-${controller.serialNumber}`,
    controller,
    run: () => go(paths.controller(controller.organization.id, controller.serialNumber)),
  });
  if (text === '') {
    return { sections: keepFilled([{ name: 'recent', items: recent.map(toItem) }, ...commands]), found };
  }

  const { controllers = [], groups = [] } = found.results ?? {};
  const items: PaletteItem[] = controllers.slice(0, shown.controllers).map(toItem);
  if (organization && controllers.length > shown.controllers) {
    items.push({
      kind: 'plain',
      id: 'list',
      label: t('listOf'),
      Icon: IconList,
      run: () => go(paths.controllers(organization.id), { search: text }),
    });
  }
  const remote: PaletteSection[] = [
    { name: 'controllers', items },
    {
      name: 'groups',
      items: groups.slice(0, shown.groups).map((group) => ({
        kind: 'group',
        id: `group-${group.id}`,
        group,
        run: () => go(paths.controllers(group.organization.id), { group_ids: group.id }),
      })),
    },
  ];
  const local = commands.map(({ name, items: all }) => ({
    name,
    items: all.filter((item) => item.kind === 'plain' && matches(item.label, text)),
  }));
  // Of controllers a serial number is meant; of what is here a page or a command, as places are named after each other.
  const isLocalMeant =
    local.some(
      ({ name, items: some }) =>
        name !== 'organizations' && some.some((item) => item.kind === 'plain' && isLikely(item.label, text)),
    ) && !controllers.some(({ serialNumber }) => serialNumber.startsWith(text.toUpperCase()));
  const sections = isLocalMeant ? [...local, ...remote] : [...remote, ...local];
  return { sections: keepFilled(sections), found };
}

function keepFilled(sections: readonly PaletteSection[]): PaletteSection[] {
  return sections
    .map(({ name, items }) => ({
      name,
      items: name === 'organizations' ? items.slice(0, shown.organizations) : items,
    }))
    .filter(({ items }) => items.length > 0);
}
