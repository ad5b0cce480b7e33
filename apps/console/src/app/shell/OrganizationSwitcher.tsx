import { Menu, UnstyledButton } from '@mantine/core';
import type { Organization } from '@pult/contract';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/paths.ts';
import classes from './shell.module.css';

interface Props {
  organization: Organization | undefined;
  organizations: Organization[] | undefined;
}

export function OrganizationSwitcher({ organization, organizations }: Props) {
  const { t } = useTranslation('app');
  const name = organization?.name ?? t('chooseOrganization');
  return (
    <Menu position="bottom-start" width={264}>
      <Menu.Target>
        <UnstyledButton className={classes.switcherButton} aria-label={`${t('switchOrganization')}: ${name}`}>
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
        <Menu.Item component={Link} to={paths.organizations()}>
          {t('allOrganizations')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
