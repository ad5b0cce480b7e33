import { Box } from '@mantine/core';
import { startCommand } from '@pult/contract/values';
import { useTranslation } from 'react-i18next';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { useDeviceOrigin } from '../use-device-origin.ts';

/** Of a server that was told none. */
const usualPort = '8080';

/** Beside what is to run on a device: that no device finds the server by this address, and what to do. */
export function LocalAddress() {
  const { t } = useTranslation('controllers');
  const { isLocal, reachable, isLoading } = useDeviceOrigin();
  if (!isLocal) return null;
  // As high as what comes: what stands below stays in its place.
  if (isLoading) return <SkeletonRows rows={5} height={10} />;
  const { hostname, port } = window.location;
  const ownPort = port === '' || port === usualPort ? '' : `PORT=${port} `;
  return (
    <Box fz={13}>
      <Box component="strong" fw={600} c="var(--pult-warning)">
        {t('address.local', { hostname })}
      </Box>{' '}
      {reachable === undefined ? t('address.restart') : t('address.restartAt', { address: reachable })}
      {reachable !== undefined && (
        <CopyText form="block" text={`${ownPort}HOST=0.0.0.0 PUBLIC_URL=${reachable} ${startCommand}`} />
      )}
    </Box>
  );
}
