import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { IconPlugConnected } from '../../../shared/icons/IconPlugConnected.ts';
import { paths } from '../../../shared/paths.ts';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { agentCommand, isLoopback } from '../agent-command.ts';

/** The first thing a new organization sees here: how to get a controller into it. */
export function NoControllers() {
  const { t } = useTranslation('controllers');
  return (
    <EmptyState
      icon={<IconPlugConnected size={32} stroke={1.4} />}
      title={t('empty.title')}
      action={
        <Button component={Link} to={paths.addController()}>
          {t('list.add')}
        </Button>
      }
    >
      <Stack gap="sm">
        <span>{t('empty.text')}</span>
        {/* The page behind the button says which address other devices would find. */}
        {!isLoopback() && <CopyText form="block" text={agentCommand()} />}
      </Stack>
    </EmptyState>
  );
}
