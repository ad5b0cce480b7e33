import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readPreference, writePreference } from '../../../shared/preferences/storage.ts';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { Page } from '../../../shared/ui/Page.tsx';
import { GroupPanel, MoveProgress, useBulkMove } from '../../groups/index.ts';
import { ControllersList } from '../components/ControllersList.tsx';
import classes from '../components/controllers-page.module.css';
import { GroupNames } from '../components/GroupName.tsx';
import { ListActions } from '../components/ListActions.tsx';
import { ListToolbar } from '../components/ListToolbar.tsx';
import { useColumns } from '../components/use-columns.ts';
import { countQuery, filterQuery, listQuery, listSearch, treeQuery } from '../list-search.ts';
import { controllersCountQuery, controllersQuery } from '../queries.ts';
import { useSelection } from '../use-selection.ts';

const foldedName = 'groups.folded';

/** Whether a person wants the room of the groups for the list, on this browser. */
function useFoldedGroups() {
  const [isFolded, setFolded] = useState(() => readPreference(foldedName) === 'true');
  const fold = (next: boolean) => {
    writePreference(foldedName, String(next));
    setFolded(next);
  };
  return { isFolded, fold };
}

/** The controllers of an organization, with its groups beside them where there is room. */
export function ControllersPage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('controllers');
  const { search, change } = useSearchOf(listSearch);
  const { ref: place, width } = useElementSize<HTMLDivElement>();
  const columns = useColumns(width);
  const groups = useFoldedGroups();
  const isNarrow = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false });
  const isWide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false });
  const isBeside = isWide && !groups.isFolded;
  const list = useQuery(controllersQuery(listQuery(organizationId, search)));
  const counts = useQuery(controllersCountQuery(countQuery(organizationId, search)));
  const isEmpty = list.data?.count === 0 && !listSearch.isFiltered(search);
  const selection = useSelection({
    query: listQuery(organizationId, search),
    filter: filterQuery(organizationId, search),
    shown: list.data?.results.map(({ serialNumber }) => serialNumber) ?? [],
    total: list.data?.count ?? 0,
  });
  const moves = useBulkMove(organizationId, { onMoved: selection.clear });

  return (
    <Page
      title={t('list.title')}
      width="full"
      actions={
        !isEmpty && <ListActions organizationId={organizationId} search={search} isNarrow={isNarrow} />
      }
    >
      <div className={classes.columns}>
        {isBeside && (
          <div className={classes.groups}>
            <GroupPanel
              filters={treeQuery(organizationId, search)}
              choice={search}
              onChoose={change}
              moves={moves}
              onFold={() => groups.fold(true)}
            />
          </div>
        )}
        <div ref={place} className={classes.list}>
          {!isEmpty && (
            <ListToolbar
              organizationId={organizationId}
              search={search}
              onChange={change}
              counts={counts.data}
              columns={isNarrow ? undefined : columns}
              hasGroupButton={!isBeside}
              onUnfold={isWide && groups.isFolded ? () => groups.fold(false) : undefined}
            />
          )}
          <GroupNames filters={treeQuery(organizationId, search)}>
            <ControllersList
              organizationId={organizationId}
              list={list}
              search={search}
              onChange={change}
              columns={columns.chosen}
              width={width}
              isNarrow={isNarrow}
              selection={selection}
              moves={moves}
              isDraggable={isBeside}
            />
          </GroupNames>
          {moves.running && <MoveProgress running={moves.running} />}
        </div>
      </div>
    </Page>
  );
}
