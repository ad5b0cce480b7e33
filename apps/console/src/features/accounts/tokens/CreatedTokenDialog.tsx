import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyText } from '../../../shared/ui/CopyText.tsx';

interface Props {
  /** Undefined: closed. */
  token: string | undefined;
  onClose: () => void;
}

/** The token and a first call with it. It is not shown again. */
export function CreatedTokenDialog({ token, onClose }: Props) {
  const { t } = useTranslation(['tokens', 'shared']);
  const address = `${window.location.origin}/api/v1/organizations/`;
  return (
    <Modal
      opened={token !== undefined}
      onClose={onClose}
      // A click beside it must not lose the token.
      closeOnClickOutside={false}
      title={t('made.title')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
      size={560}
    >
      {token !== undefined && (
        <Stack gap="md">
          <Text size="sm">{t('made.text')}</Text>
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('made.token')}
            </Text>
            <CopyText form="block" text={token} />
          </div>
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('made.example')}
            </Text>
            <CopyText form="block" text={`curl -H "authorization: Bearer $PULT_TOKEN" ${address}`} />
          </div>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('made.done')}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
