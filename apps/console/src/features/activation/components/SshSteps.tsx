import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { environmentsQuery } from '../../../shared/api/queries.ts';
import { formatDeviceCommand } from '../../../shared/ssh-command.ts';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import classes from './add-controller.module.css';

/** How a device that has nothing but an SSH client comes to show a token. */
export function SshSteps({ origin }: { origin: string }) {
  const { t } = useTranslation('activation');
  const { data: environments } = useQuery(environmentsQuery);
  if (!environments) return null;
  const { SSH_JUMP: jump } = environments;
  if (!jump) return <p>{t('ssh.off')}</p>;
  return (
    <>
      <p>{t('ssh.gives')}</p>
      <ol className={classes.steps}>
        <li>
          {t('ssh.run')}
          <CopyText form="block" text={`curl -fsSL ${origin}/agent/ssh-install.sh | sudo sh`} />
        </li>
        <li>
          {t('ssh.router')}
          <CopyText form="block" text={`wget -qO- ${origin}/agent/ssh-install.sh | sh`} />
        </li>
        <li>{t('ssh.link')}</li>
      </ol>
      <p>{t('ssh.byHand')}</p>
      <CopyText form="block" text={formatDeviceCommand(jump)} />
    </>
  );
}
