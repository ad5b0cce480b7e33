import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyText } from '../../../shared/ui/CopyText.tsx';

interface Props {
  /** Undefined: closed. */
  secret: string | undefined;
  onClose: () => void;
}

/** The key that signs, for whoever sets the receiver up. It is not shown again. */
export function WebhookSecretDialog({ secret, onClose }: Props) {
  const { t } = useTranslation(['alerts', 'shared']);
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      // A click beside it must not lose the key.
      closeOnClickOutside={false}
      title={t('secret.title')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
    >
      {secret !== undefined && (
        <Stack gap="md">
          <Text size="sm">{t('secret.text')}</Text>
          <CopyText form="block" text={secret} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('secret.done')}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
