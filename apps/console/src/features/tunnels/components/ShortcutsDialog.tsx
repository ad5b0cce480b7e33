import { Kbd, Modal, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { shortcuts } from '../terminal/shortcuts.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
}

export function ShortcutsDialog({ opened, onClose }: Props) {
  const { t } = useTranslation(['tunnels', 'shared']);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('terminal.shortcuts')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
    >
      <Stack gap="sm">
        <Table verticalSpacing={6} withRowBorders={false}>
          <Table.Tbody>
            {shortcuts.map(({ name, key }) => (
              <Table.Tr key={name}>
                <Table.Td>{t(`shortcuts.${name}`)}</Table.Td>
                <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                  <Kbd>Ctrl</Kbd> <Kbd>Shift</Kbd> <Kbd>{key}</Kbd>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="xs" c="dimmed">
          {t('shortcuts.note')}
        </Text>
      </Stack>
    </Modal>
  );
}
