import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentUserQuery, environmentsQuery } from '../../../shared/api/queries.ts';
import { paths } from '../../../shared/paths.ts';
import { formatSshCommands } from '../../../shared/ssh-command.ts';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import classes from './controller-view.module.css';

/** The commands of stock OpenSSH for this controller; nothing where the server has no jump host. */
export function NativeSsh({ serialNumber }: { serialNumber: string }) {
  const { t } = useTranslation('controllers');
  const { data: environments } = useQuery(environmentsQuery);
  const { data: user } = useQuery(currentUserQuery);
  const [isOpen, { toggle }] = useDisclosure();
  const commands =
    environments && user && formatSshCommands(environments, { email: user.email, serialNumber });
  if (!commands) return null;
  return (
    <section aria-label={t('ssh.title')} className={classes.nativeSsh}>
      <Text size="sm" fw={500}>
        {t('ssh.title')}
      </Text>
      <CopyText text={commands.ssh} form="block" />
      <Text size="xs" c="dimmed">
        {t('ssh.hint')}{' '}
        <Anchor component={Link} to={paths.security()} inherit underline="always">
          {t('ssh.keys')}
        </Anchor>
      </Text>
      {isOpen && (
        <Stack gap="xs">
          <Text size="sm">{t('ssh.scp')}</Text>
          <CopyText text={commands.scp} form="block" />
          <Text size="sm">{t('ssh.config')}</Text>
          <CopyText text={commands.config} form="block" />
          <Text size="xs" c="dimmed">
            {t('ssh.configHint', { name: commands.hostName })}
          </Text>
        </Stack>
      )}
      <div>
        <Button variant="subtle" size="compact-xs" px={0} onClick={toggle} aria-expanded={isOpen}>
          {t(isOpen ? 'ssh.less' : 'ssh.more')}
        </Button>
      </div>
    </section>
  );
}
