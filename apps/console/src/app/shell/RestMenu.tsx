import { Menu, UnstyledButton } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { IconDots } from '../../shared/icons/IconDots.ts';
import classes from './shell.module.css';
import { isAtSection, type Section } from './use-sections.ts';

/** On a phone: the sections for which the bar has no room. */
export function RestMenu({ sections }: { sections: readonly Section[] }) {
  const { t } = useTranslation('app');
  const isCurrent = useLocation({
    select: (place) => sections.some((section) => isAtSection(section, place)),
  });
  return (
    <Menu position="top-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.more} aria-current={isCurrent || undefined}>
          <IconDots size={18} stroke={1.75} />
          <span className={classes.linkLabel}>{t('more')}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {sections.map(({ to, search, Icon, label, reason }) =>
          reason === undefined ? (
            <Menu.Item
              key={label}
              renderRoot={(props) => <Link to={to} {...(search ? { search } : {})} {...props} />}
              leftSection={<Icon size={18} stroke={1.75} />}
            >
              {label}
            </Menu.Item>
          ) : (
            <Menu.Item key={label} disabled leftSection={<Icon size={18} stroke={1.75} />}>
              {label}
              <span className={classes.reason}>{reason}</span>
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
