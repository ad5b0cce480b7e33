import type { Environments } from '@pult/contract';
import { describeWirenBoardOff } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { environmentsQuery } from '../../../shared/api/queries.ts';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { AgentSteps } from './AgentSteps.tsx';
import classes from './add-controller.module.css';

/** How a controller of Wiren Board comes to show a token, by what its vendor has put there. */
export function WirenBoardSteps({ origin }: { origin: string }) {
  const { t } = useTranslation('activation');
  // Of all settings this one changes while the server runs: names come into DNS, and a port gets free.
  const { data: environments } = useQuery({
    ...environmentsQuery,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  if (!environments) return null;
  const { WIREN_BOARD: server, WIREN_BOARD_OFF: off } = environments;
  if (off) return <NotTaken off={off} origin={origin} />;
  if (!server) return null;
  const { serverUrl, agentUrl, tunnel } = server;
  return (
    <>
      <p>{t('wirenBoard.gives')}</p>
      <ol className={classes.steps}>
        <li>
          {t('wirenBoard.run')}
          <CopyText form="block" text={`wb-cloud-agent use-on-premise ${serverUrl}`} />
        </li>
        <li>{t('wirenBoard.link')}</li>
      </ol>
      <p>{t('wirenBoard.beside')}</p>
      <CopyText form="block" text={`wb-cloud-agent add-provider ${serverUrl}`} />
      <p>{t('wirenBoard.older')}</p>
      <CopyText form="block" text={`wb-cloud-agent add-provider pult ${serverUrl} ${agentUrl}`} />
      <p>
        {t('wirenBoard.ports', { agent: new URL(agentUrl).host, tunnel: `${tunnel.host}:${tunnel.port}` })}
      </p>
    </>
  );
}

/** Why the vendor's own agent cannot come, what whoever runs the server has to do for it, and the way that works meanwhile. */
function NotTaken({ off, origin }: { off: NonNullable<Environments['WIREN_BOARD_OFF']>; origin: string }) {
  const { t } = useTranslation('activation');
  const locale = useLocale();
  const { text, action } = describeWirenBoardOff(off);
  return (
    <>
      <p>
        <strong className={classes.warning}>{t('wirenBoard.off')}</strong> {text[locale]}
      </p>
      <p>
        <strong>{t('wirenBoard.administrator')}</strong> {action[locale]}
      </p>
      <p>
        <strong>{t('wirenBoard.meanwhile')}</strong>
      </p>
      <AgentSteps origin={origin} />
    </>
  );
}
