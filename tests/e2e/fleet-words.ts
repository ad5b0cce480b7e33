import { formatNumber } from '../../apps/console/src/shared/i18n/format.ts';
import { consoleTexts, fill, fillPlural, type Language } from './console-texts.ts';

/** What the console says about a large fleet in one language, by what a test does with it. */
export function readFleetWords(language: Language) {
  const { controllers, groups } = consoleTexts[language];
  const { list, selection, pastEnd, field } = controllers;
  const size = formatNumber(5100, language);
  return {
    groups: groups.groups,
    openGroups: (name: string) => fill(groups.openGroups, { name }),
    search: list.search,
    statuses: list.statusFilter,
    size,
    columns: list.columns,
    description: field.description,
    selectPage: selection.all,
    select: (serialNumber: string) => fill(selection.one, { serialNumber }),
    selectMatching: fill(selection.selectMatching, { formatted: size }),
    matching: fill(selection.matching, { formatted: size }),
    moveControllers: selection.move,
    move: groups.move,
    moving: fillPlural(groups, { key: 'attaching', count: 5100, language }, { name: 'Site 1' }),
    moved: fillPlural(groups, { key: 'attached', count: 5100, language }, { name: 'Site 1' }),
    dropInto: fill(groups.drop.into, { name: 'Site 2' }),
    attachedTo: (name: string) => fillPlural(groups, { key: 'attached', count: 2, language }, { name }),
    groupMoved: groups.moved,
    topLevel: groups.topLevel,
    itself: groups.drop.itself,
    all: groups.all,
    noPage: pastEnd.title,
    firstPage: pastEnd.back,
  };
}
