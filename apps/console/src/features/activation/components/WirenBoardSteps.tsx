import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { environmentsQuery } from '../../../shared/api/queries.ts';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import classes from './add-controller.module.css';

/** How a controller of Wiren Board comes to show a token, by what its vendor has put there. */
export function WirenBoardSteps() {
  const { t } = useTranslation('activation');
  const { data: environments } = useQuery(environmentsQuery);
  if (!environments) return null;
  const { WIREN_BOARD: server } = environments;
  if (!server) return <TurnedOff />;
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

/** What whoever runs the server has to do for it. */
function TurnedOff() {
  const { t } = useTranslation('activation');
  const { hostname } = window.location;
  return (
    <>
      <p>{t('wirenBoard.off')}</p>
      <CopyText form="block" text="WB_DEVICE_CA=builtin" />
      <p>{t('wirenBoard.needs', { agent: `agent.${hostname}`, tunnel: `tunnel.${hostname}` })}</p>
    </>
  );
}
