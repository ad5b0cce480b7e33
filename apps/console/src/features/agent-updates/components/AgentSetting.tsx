import { Button, Stack, Text } from '@mantine/core';
import { type AgentUpdate, type AgentUpdateState, type Controller, isAllowed } from '@pult/contract';
import { connectionKindTable, isGivenBy } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { agentUpdateQuery, useRequestAgentUpdate } from '../queries.ts';

interface Props {
  controller: Controller;
}

/** Which version of the agent a controller has, and another one for it. */
export function AgentSetting({ controller }: Props) {
  const { t } = useTranslation('agentUpdates');
  const { serialNumber, connectionKind } = controller;
  const connection = connectionKindTable[connectionKind].label[useLocale()];
  const isGiven = isGivenBy(connectionKind, 'updates');
  const query = useQuery({ ...agentUpdateQuery(serialNumber), enabled: isGiven });
  if (!isGiven) {
    return (
      <Section title={t('title')}>
        <Text size="sm">{t('notGiven', { connection })}</Text>
      </Section>
    );
  }
  return (
    <Section title={t('title')} description={t('text')}>
      <QueryState query={query} failure={t('loadFailed')} rows={2}>
        {(state) => <AgentVersions controller={controller} state={state} />}
      </QueryState>
    </Section>
  );
}

function AgentVersions({ controller, state }: Props & { state: AgentUpdateState }) {
  const { t } = useTranslation(['agentUpdates', 'shared']);
  const { serialNumber, userRole, agentVersion } = controller;
  const { available: version, comparison, latest } = state;
  const request = useRequestAgentUpdate(serialNumber);
  const isUnderWay = latest !== null && latest.finished === null;
  const reason = isAllowed(userRole, 'agents.update')
    ? isUnderWay
      ? t('underWay')
      : undefined
    : t('roleTooWeak.member', { ns: 'shared' });
  const isOlder = comparison === 'older';
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">
        <bdi>{agentVersion ? t('version', { version: agentVersion }) : t('unknown')}</bdi>{' '}
        {version === null
          ? t('none')
          : comparison === 'same'
            ? t('current')
            : t(isOlder ? 'available' : 'newer', { version })}
      </Text>
      {latest && <UpdateState update={latest} />}
      {version !== null && comparison !== null && comparison !== 'same' && (
        <DisabledReason reason={reason}>
          <Button
            variant={isOlder ? 'filled' : 'default'}
            loading={request.isPending}
            onClick={() => request.mutate(isOlder ? {} : { mayDowngrade: true })}
          >
            {t(isOlder ? 'update' : 'downgrade', { version })}
          </Button>
        </DisabledReason>
      )}
    </Stack>
  );
}

/** How the last update stands; what the agent says of it is plain text. */
function UpdateState({ update }: { update: AgentUpdate }) {
  const { t } = useTranslation('agentUpdates');
  const { status, reason, detail, toVersion: version } = update;
  const text = t(`state.${status}`, { version });
  return (
    <div role="status">
      <Text size="sm">{reason === null ? `${text}.` : `${text}: ${t(`failure.${reason}`)}.`}</Text>
      {detail !== null && (
        <Text size="sm" c="dimmed">
          <bdi>{t('detail', { detail })}</bdi>
        </Text>
      )}
    </div>
  );
}
