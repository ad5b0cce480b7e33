import { Menu, UnstyledButton } from '@mantine/core';
import type { Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { IconCheck } from '../../shared/icons/IconCheck.ts';
import { IconSelector } from '../../shared/icons/IconSelector.ts';
import { paths } from '../../shared/paths.ts';
import { setPaletteOpened } from '../palette/palette-state.ts';
import classes from './shell.module.css';

/** More of them are quicker found than looked through. */
const inSight = 10;

interface Props {
  organization: Organization | undefined;
  organizations: Organization[] | undefined;
  isPending: boolean;
}

export function OrganizationSwitcher({ organization, organizations, isPending }: Props) {
  const { t } = useTranslation('app');
  const { data: user } = useQuery(currentUserQuery);
  const name = organization?.name ?? (isPending ? '' : t('chooseOrganization'));
  return (
    <Menu position="bottom-start" width={264}>
      <Menu.Target>
        <UnstyledButton
          className={classes.switcherButton}
          aria-label={name ? `${t('switchOrganization')}: ${name}` : t('switchOrganization')}
        >
          <span className={classes.switcherName}>{name}</span>
          <IconSelector size={16} stroke={1.75} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.switcherList}>
        {organizations?.map(({ id, name: label }) => (
          <Menu.Item
            key={id}
            component={Link}
            to={paths.controllers(id)}
            rightSection={id === organization?.id ? <IconCheck size={16} /> : null}
          >
            {label}
          </Menu.Item>
        ))}
        {organizations && organizations.length > 0 ? <Menu.Divider /> : null}
        {organizations && organizations.length > inSight && (
          <Menu.Item onClick={() => setPaletteOpened(true)}>{t('findOrganization')}</Menu.Item>
        )}
        <Menu.Item component={Link} to={paths.organizations()}>
          {t('allOrganizations')}
        </Menu.Item>
        {/* A session of one organization makes no other. */}
        {user && user.signedInto === undefined && (
          <Menu.Item
            renderRoot={(props) => (
              <Link to={paths.organizations()} state={{ isCreatingOrganization: true }} {...props} />
            )}
          >
            {t('createOrganization')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
