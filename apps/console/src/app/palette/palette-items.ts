import type { Controller, FoundGroup } from '@pult/contract';
import type IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';

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
  Icon: typeof IconSearch;
  /** The keys that do the same without a list of actions. */
  keys?: string;
}

export type PaletteItem = ControllerItem | GroupItem | PlainItem;

export type SectionName =
  | 'recent'
  | 'controllers'
  | 'groups'
  | 'pages'
  | 'organizations'
  | 'commands'
  | 'actions';

export interface PaletteSection {
  name: SectionName;
  items: PaletteItem[];
}
