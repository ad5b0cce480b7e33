import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { paths } from '../../../shared/paths.ts';

interface Props {
  organizationId: string;
  serialNumber: string;
}

/**
 * Leads back to the list from a controller that is gone; the error catalogue has told so. What was cached of it
 * goes as well: the same serial number may be activated again.
 */
export function ControllerGone({ organizationId, serialNumber }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => {
    void navigate({ to: paths.controllers(organizationId), replace: true }).then(() => {
      client.removeQueries({ queryKey: queryKeys.controllers.detail(serialNumber) });
      return client.invalidateQueries({ queryKey: queryKeys.controllers.all });
    });
  }, [client, navigate, organizationId, serialNumber]);
  return null;
}
