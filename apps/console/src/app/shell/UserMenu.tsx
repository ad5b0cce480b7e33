import { Button, Divider, Popover, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserQuery, environmentsQuery } from '../../shared/api/queries.ts';
import { IconLogout } from '../../shared/icons/IconLogout.ts';
import { IconUserCircle } from '../../shared/icons/IconUserCircle.ts';
import { paths } from '../../shared/paths.ts';
import { LanguageSwitch } from '../../shared/preferences/LanguageSwitch.tsx';
import { ThemeSwitch } from '../../shared/preferences/ThemeSwitch.tsx';
import classes from './shell.module.css';
import { useLogout } from './use-logout.ts';

/** A dialog and no menu: it holds switches, which a menu may not. */
export function UserMenu() {
  const { t } = useTranslation('app');
  const [opened, setOpened] = useState(false);
  const { data: user } = useQuery(currentUserQuery);
  const { data: environments } = useQuery(environmentsQuery);
  const logout = useLogout();
  const email = user?.email ?? '';
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="top-start"
      width={264}
      trapFocus
      shadow="md"
      hideDetached={false}
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.userButton}
          onClick={() => setOpened(!opened)}
          aria-label={`${t('userMenu')}: ${email}`}
        >
          <span className={classes.avatar} aria-hidden>
            {email.slice(0, 1).toUpperCase()}
          </span>
          <span className={classes.email}>{email}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={t('userMenu')}>
        <Stack gap="xs">
          <Text size="sm" fw={500} truncate>
            {email}
          </Text>
          <LanguageSwitch />
          <ThemeSwitch />
          <Divider />
          <Button
            component={Link}
            to={paths.security()}
            variant="subtle"
            color="gray"
            justify="flex-start"
            px="xs"
            size="compact-md"
            leftSection={<IconUserCircle size={16} />}
            onClick={() => setOpened(false)}
          >
            {t('account')}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            justify="flex-start"
            px="xs"
            size="compact-md"
            leftSection={<IconLogout size={16} />}
            loading={logout.isPending}
            onClick={() => logout.mutate()}
          >
            {t('logout')}
          </Button>
          <Divider />
          <Text size="xs" c="dimmed">
            {environments?.ON_PREMISE_VERSION
              ? t('version', { version: environments.ON_PREMISE_VERSION })
              : null}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
