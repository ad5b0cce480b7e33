import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { agentCommand } from '../../controllers/index.ts';

interface Props {
  /** Undefined: closed. */
  enrolmentKey: string | undefined;
  onClose: () => void;
}

/** The key and what to do with it. It is not shown again. */
export function CreatedKeyDialog({ enrolmentKey, onClose }: Props) {
  const { t } = useTranslation(['enrolmentKeys', 'shared']);
  return (
    <Modal
      opened={enrolmentKey !== undefined}
      onClose={onClose}
      // A click beside it must not lose the key.
      closeOnClickOutside={false}
      title={t('made.title')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
      size={520}
    >
      {enrolmentKey !== undefined && (
        <Stack gap="md">
          <Text size="sm">{t('made.text')}</Text>
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('made.key')}
            </Text>
            <CopyText form="block" text={enrolmentKey} />
          </div>
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('made.command')}
            </Text>
            <CopyText form="block" text={agentCommand(window.location.origin, enrolmentKey)} />
            <Text size="xs" c="dimmed" mt={4}>
              {t('made.commandHint')}
            </Text>
          </div>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('made.done')}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
