import type { ShownPlace } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { IconBuilding } from '../../shared/icons/IconBuilding.ts';
import { IconFolder } from '../../shared/icons/IconFolder.ts';
import { IconServer2 } from '../../shared/icons/IconServer2.ts';
import { paths } from '../../shared/paths.ts';
import { Mono } from '../../shared/ui/Mono.tsx';
import classes from './grants.module.css';

const icons = { organization: IconBuilding, group: IconFolder, controller: IconServer2 };

/** Where a right counts: its sort by an icon, and the way to it. */
export function PlaceName({ organizationId, place }: { organizationId: string; place: ShownPlace }) {
  const { t } = useTranslation('grants');
  const Icon = icons[place.type];
  const name = () => {
    if (place.type === 'organization') return t('wholeOrganization');
    if (place.type === 'group') return place.name;
    return (
      <Link to={paths.controller(organizationId, place.id)} className={classes.link}>
        <Mono>{place.name}</Mono>
      </Link>
    );
  };
  return (
    <span className={classes.place}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <span>
        <span>{name()}</span>
        {place.path.length > 0 && <span className={classes.path}>{place.path.join(' / ')}</span>}
      </span>
    </span>
  );
}
