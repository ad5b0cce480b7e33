import { Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { ConnectionCard } from './ConnectionCard.tsx';
import classes from './connection.module.css';

/** In the place of a connection with a controller that nobody here knows. */
export function NoSuchController({ serialNumber }: { serialNumber: string }) {
  const { t } = useTranslation('connect');
  return (
    <ConnectionCard serialNumber={serialNumber} isBusy={false}>
      <div className={classes.text} role="status">
        <Text fw={600}>{t('noController')}</Text>
        <Text size="sm" c="dimmed">
          {t('noControllerText')}
        </Text>
      </div>
      <Group gap="xs" className={classes.actions}>
        <Button component={Link} to={paths.organizations()}>
          {t('toOrganizations')}
        </Button>
      </Group>
    </ConnectionCard>
  );
}
