import type { WebhookDelivery } from '@pult/contract';
import { auditActionsOfOrganizations } from '@pult/contract/values';
import { useTranslation } from 'react-i18next';

/** What an event is called: those of the audit log as there. */
export function useEventLabel(): (event: WebhookDelivery['event']) => string {
  const { t } = useTranslation(['webhooks', 'audit']);
  return (event) => {
    const action = auditActionsOfOrganizations.find((each) => each === event);
    if (action !== undefined) return t(`action.${action}`, { ns: 'audit' });
    if (event === 'controllers.offline' || event === 'controllers.online') return t(`event.${event}`);
    return t('event.test');
  };
}
