import { Alert, Text } from '@mantine/core';
import type { TerminalFailure as Failure } from '@pult/contract';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { useTranslation } from 'react-i18next';
import type { TerminalEnd } from '../terminal/terminal-state.ts';

/** Those whose cause the server knows better than a general text. */
const withDetail: readonly Failure[] = ['ssh_failed', 'service_refused', 'invalid_request'];

/** Why a login came to nothing, above the form. */
export function TerminalFailure({ end }: { end: TerminalEnd }) {
  const { t } = useTranslation('tunnels');
  const text =
    end.type === 'failed'
      ? t(`failure.${end.code}`)
      : end.type === 'refused'
        ? end.detail
        : t(`end.${end.type}`);
  const detail = end.type === 'failed' && withDetail.includes(end.code) ? end.detail : '';
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} role="alert">
      <Text size="sm">{text}</Text>
      {detail && (
        <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
    </Alert>
  );
}
