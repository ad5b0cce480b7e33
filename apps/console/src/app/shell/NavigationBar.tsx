import type { Organization } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readBrand } from '../../shared/page/title.ts';
import { paths } from '../../shared/paths.ts';
import { Logo } from '../../shared/ui/Logo.tsx';
import { PaletteButton } from '../palette/PaletteHost.tsx';
import { NavigationLink } from './NavigationLink.tsx';
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx';
import { RestMenu } from './RestMenu.tsx';
import classes from './shell.module.css';
import { UserMenu } from './UserMenu.tsx';
import { type Section, useSections } from './use-sections.ts';

interface Props {
  organization: Organization | undefined;
  organizations: Organization[] | undefined;
  /** Which one is open is not known yet: nothing that would change at once is shown. */
  isPending: boolean;
}

export function NavigationBar({ organization, organizations, isPending }: Props) {
  const { t } = useTranslation('app');
  const known = useSections(organization);
  const sections = isPending ? [] : known;
  const linksOf = (name: Section['group']) =>
    sections
      .filter(({ group }) => group === name)
      .map((section) => <NavigationLink key={section.label} section={section} />);
  const labelled = (name: 'work' | 'organization') => {
    const links = linksOf(name);
    return (
      links.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields
        <div role="group" className={classes.group} aria-label={t(`group.${name}`)}>
          <span className={classes.groupLabel} aria-hidden>
            {t(`group.${name}`)}
          </span>
          {links}
        </div>
      )
    );
  };
  const rest = sections.filter(({ isInBar }) => !isInBar);
  return (
    <nav className={classes.bar} aria-label={t('navigation')}>
      <Link to={paths.root()} className={classes.brand} aria-label={readBrand()}>
        <Logo size={24} />
        <span className={classes.brandName}>{readBrand()}</span>
      </Link>
      <div className={classes.switcher}>
        <OrganizationSwitcher
          organization={organization}
          organizations={organizations}
          isPending={isPending}
        />
      </div>
      <div className={classes.navigation}>
        <PaletteButton />
        {linksOf('main')}
        {labelled('work')}
        {labelled('organization')}
        {rest.length > 0 && <RestMenu sections={rest} />}
      </div>
      <div className={classes.user}>
        {linksOf('server')}
        <UserMenu />
      </div>
    </nav>
  );
}
