import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyText } from '../../../shared/ui/CopyText.tsx';

export interface InviteLink {
  email: string;
  url: string;
}

interface Props {
  /** Undefined: closed. */
  link: InviteLink | undefined;
  onClose: () => void;
}

/** The link that no mail could carry, for whoever invites to hand over. It is not shown again. */
export function InviteLinkDialog({ link, onClose }: Props) {
  const { t } = useTranslation(['organizations', 'shared']);
  return (
    <Modal
      opened={link !== undefined}
      onClose={onClose}
      // A click beside it must not lose the link.
      closeOnClickOutside={false}
      title={t('invites.linkTitle')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
    >
      {link && (
        <Stack gap="md">
          <Text size="sm">{t('invites.linkText', { email: link.email })}</Text>
          <CopyText form="block" text={link.url} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('invites.done')}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
