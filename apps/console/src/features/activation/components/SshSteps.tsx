import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { environmentsQuery } from '../../../shared/api/queries.ts';
import { formatDeviceCommand } from '../../../shared/ssh-command.ts';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import classes from './add-controller.module.css';

/** What each has for it: a router is root's alone, and has no curl. */
const fetchers = {
  Linux: (script: string) => `curl -fsSL ${script} | sudo sh`,
  OpenWrt: (script: string) => `wget -qO- ${script} | sh`,
};

/** How a device that has nothing but an SSH client comes to show a token. */
export function SshSteps({ origin }: { origin: string }) {
  const { t } = useTranslation('activation');
  const { data: environments } = useQuery(environmentsQuery);
  const [system, setSystem] = useState<keyof typeof fetchers>('Linux');
  if (!environments) return null;
  const { SSH_JUMP: jump } = environments;
  if (!jump) return <p>{t('ssh.off')}</p>;
  return (
    <>
      <p>{t('ssh.gives')}</p>
      <SegmentedControl
        mt="sm"
        aria-label={t('ssh.system')}
        value={system}
        onChange={(value) => setSystem(value === 'OpenWrt' ? value : 'Linux')}
        data={['Linux', 'OpenWrt']}
      />
      <ol className={classes.steps}>
        <li>
          {t('ssh.run')}
          <CopyText form="block" text={fetchers[system](`${origin}/agent/ssh-install.sh`)} />
        </li>
        <li>{t('ssh.link')}</li>
      </ol>
      <p>{t('ssh.byHand')}</p>
      <CopyText form="block" text={formatDeviceCommand(jump)} />
    </>
  );
}
