import { Menu, UnstyledButton } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { IconDots } from '../../shared/icons/IconDots.ts';
import { SectionMark } from './SectionMark.tsx';
import classes from './shell.module.css';
import { isAtSection, type Section, sectionGroups } from './use-sections.ts';

/** On a phone: the sections for which the bar has no room. */
export function RestMenu({ sections }: { sections: readonly Section[] }) {
  const { t } = useTranslation('app');
  const isCurrent = useLocation({
    select: (place) => sections.some((section) => isAtSection(section, place)),
  });
  const groups = sectionGroups
    .map((name) => ({ name, items: sections.filter(({ group }) => group === name) }))
    .filter(({ items }) => items.length > 0);
  return (
    <Menu position="top-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.more} aria-current={isCurrent || undefined}>
          <IconDots size={18} stroke={1.75} />
          <span className={classes.linkLabel}>{t('more')}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map(({ name, items }, index) => (
          <Fragment key={name}>
            {index > 0 && <Menu.Divider />}
            {(name === 'work' || name === 'organization') && <Menu.Label>{t(`group.${name}`)}</Menu.Label>}
            {items.map(({ to, Icon, label, ...mark }) => (
              <Menu.Item
                key={label}
                renderRoot={(props) => <Link to={to} {...props} />}
                leftSection={<Icon size={18} stroke={1.75} />}
                rightSection={<SectionMark {...mark} />}
              >
                {label}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
