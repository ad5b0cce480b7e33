import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { ApiError, limits, type Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../../shared/api/queries.ts';
import { inviteQuery, useAcceptInvite } from '../queries.ts';
import classes from './organizations.module.css';

export interface ArrivedInvite {
  token: string;
  /** As the address tells it: anybody may have written it. */
  orgName: string | undefined;
}

interface Props {
  /** Undefined: closed. */
  invite: ArrivedInvite | undefined;
  onAccepted: (organization: Organization) => void;
  onDecline: () => void;
  /** After a failure, when there is nothing left to decide. */
  onClose: () => void;
}

export function AcceptInviteDialog({ invite, onClose, ...rest }: Props) {
  const { t } = useTranslation(['organizations', 'shared']);
  return (
    <Modal
      opened={invite !== undefined}
      onClose={onClose}
      // A click beside it is no answer.
      closeOnClickOutside={false}
      title={t('accept.title')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
    >
      {invite && <AcceptInvite invite={invite} onClose={onClose} {...rest} />}
    </Modal>
  );
}

function AcceptInvite({ invite, onAccepted, onDecline, onClose }: Props & { invite: ArrivedInvite }) {
  const { t } = useTranslation(['organizations', 'shared']);
  const { data: user } = useQuery(currentUserQuery);
  // The server knows the real name and whom the invite is for; until it answers, the address is believed.
  const { data: known } = useQuery(inviteQuery(invite.token));
  const acceptance = useAcceptInvite();

  const failure = () => {
    if (known === null) return t('accept.invalid');
    if (known && user && known.invitedUserEmail.toLowerCase() !== user.email.toLowerCase()) {
      return t('accept.otherUser', { email: known.invitedUserEmail });
    }
    if (!acceptance.error) return undefined;
    const code = acceptance.error instanceof ApiError ? acceptance.error.code : undefined;
    if (code === 'invite_for_another_user') return t('accept.otherUnknown');
    return code === 'invite_invalid' ? t('accept.invalid') : t('accept.failed');
  };
  const told = failure();
  if (told !== undefined) {
    return (
      <Stack gap="md">
        <Alert
          color="red"
          variant="light"
          p="xs"
          role="alert"
          classNames={{ message: classes.failure ?? '' }}
        >
          {told}
        </Alert>
        <Group justify="flex-end">
          {/* In the place of the buttons that had the focus. */}
          <Button variant="default" onClick={onClose} autoFocus>
            {t('close', { ns: 'shared' })}
          </Button>
        </Group>
      </Stack>
    );
  }
  const name = known?.organizationToJoin.name ?? invite.orgName?.slice(0, limits.nameLength);
  return (
    <Stack gap="md">
      <div>
        <Text size="sm">{t('accept.text')}</Text>
        <div className={classes.inviteName}>{name || '\u00a0'}</div>
      </div>
      <Text size="sm" c="dimmed">
        {t('accept.joins')}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onDecline}>
          {t('accept.decline')}
        </Button>
        <Button
          data-autofocus
          loading={acceptance.isPending}
          onClick={() => acceptance.mutate(invite.token, { onSuccess: onAccepted })}
        >
          {t('accept.accept')}
        </Button>
      </Group>
    </Stack>
  );
}
