import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { IconList } from '../../../shared/icons/IconList.ts';
import { IconMap2 } from '../../../shared/icons/IconMap2.ts';
import { paths } from '../../../shared/paths.ts';
import { type FilterSearch, filterSearch } from '../list-search.ts';
import classes from './view-switch.module.css';

/** From the list to the map and back, with the same filters. */
export function ViewSwitch({ organizationId, search }: { organizationId: string; search: FilterSearch }) {
  const { t } = useTranslation('controllers');
  const filters = filterSearch.write(search);
  return (
    <nav className={classes.switch} aria-label={t('views.label')}>
      <Link
        className={classes.view}
        to={paths.controllers(organizationId)}
        search={filters}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        <IconList size={16} />
        <span className={classes.word}>{t('views.list')}</span>
      </Link>
      <Link
        className={classes.view}
        to={paths.map(organizationId)}
        search={filters}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        <IconMap2 size={16} />
        <span className={classes.word}>{t('views.map')}</span>
      </Link>
    </nav>
  );
}
