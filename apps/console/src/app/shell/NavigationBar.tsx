import type { Organization } from '@pult/contract';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs';
import IconServer2 from '@tabler/icons-react/dist/esm/icons/IconServer2.mjs';
import IconSquarePlus from '@tabler/icons-react/dist/esm/icons/IconSquarePlus.mjs';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readBrand } from '../../shared/page/title.ts';
import { paths } from '../../shared/paths.ts';
import { Logo } from '../../shared/ui/Logo.tsx';
import { NavigationLink } from './NavigationLink.tsx';
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx';
import classes from './shell.module.css';
import { UserMenu } from './UserMenu.tsx';

interface Props {
  organization: Organization | undefined;
  organizations: Organization[] | undefined;
}

export function NavigationBar({ organization, organizations }: Props) {
  const { t } = useTranslation('app');
  return (
    <nav className={classes.bar} aria-label={t('navigation')}>
      <Link to={paths.root()} className={classes.brand} aria-label={readBrand()}>
        <Logo size={24} />
        <span className={classes.brandName}>{readBrand()}</span>
      </Link>
      <div className={classes.switcher}>
        <OrganizationSwitcher organization={organization} organizations={organizations} />
      </div>
      <div className={classes.navigation}>
        {organization ? (
          <>
            <NavigationLink
              to={paths.organization(organization.id)}
              icon={<IconLayoutDashboard size={18} stroke={1.75} />}
              label={t('overview')}
              exact
            />
            <NavigationLink
              to={paths.controllers(organization.id)}
              icon={<IconServer2 size={18} stroke={1.75} />}
              label={t('controllers')}
            />
          </>
        ) : (
          <NavigationLink
            to={paths.organizations()}
            icon={<IconBuilding size={18} stroke={1.75} />}
            label={t('organizations')}
            exact
          />
        )}
        <NavigationLink
          to={paths.addController()}
          icon={<IconSquarePlus size={18} stroke={1.75} />}
          label={t('addController')}
          exact
        />
      </div>
      <div className={classes.user}>
        <UserMenu />
      </div>
    </nav>
  );
}
