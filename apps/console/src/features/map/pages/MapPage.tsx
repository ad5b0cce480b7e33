import { useMediaQuery } from '@mantine/hooks';
import { statusCountOf } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../shared/ui/Page.tsx';
import {
  controllersCountQuery,
  countQuery,
  filterQuery,
  filterSearch,
  GroupNames,
  ListToolbar,
  NoControllers,
  treeQuery,
  ViewSwitch,
} from '../../controllers/index.ts';
import { GroupPanel } from '../../groups/index.ts';
import { FleetMap } from '../components/FleetMap.tsx';
import { useMapSearch } from '../use-map-search.ts';
import classes from './map-page.module.css';

/** The controllers of an organization where they stand; the same filters as the list's. */
export function MapPage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('map');
  const { search, camera, change, moveTo } = useMapSearch();
  const isWide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false });
  const { data: counts } = useQuery(controllersCountQuery(countQuery(organizationId, search)));
  const groups = treeQuery(organizationId, search);
  const isEmpty = counts?.count === 0 && !filterSearch.isFiltered(search);
  return (
    <Page
      title={t('title')}
      width="full"
      actions={!isEmpty && <ViewSwitch organizationId={organizationId} search={search} />}
    >
      {isEmpty ? (
        <NoControllers />
      ) : (
        <div className={classes.columns}>
          {isWide && (
            <div className={classes.groups}>
              <GroupPanel filters={groups} choice={search} onChoose={change} />
            </div>
          )}
          <div className={classes.content}>
            <ListToolbar
              organizationId={organizationId}
              search={search}
              onChange={change}
              counts={counts}
              columns={undefined}
              hasGroupButton={!isWide}
            />
            <div className={classes.map}>
              <GroupNames filters={groups}>
                <FleetMap
                  organizationId={organizationId}
                  filters={filterQuery(organizationId, search)}
                  camera={camera}
                  onMove={moveTo}
                  matching={counts?.[search.status ? statusCountOf[search.status] : 'count']}
                  isFiltered={filterSearch.isFiltered(search)}
                />
              </GroupNames>
            </div>
          </div>
        </div>
      )}
    </Page>
  );
}
