import type { Attention } from '@pult/contract';
import { paths } from '../../../shared/paths.ts';

/** Where a list is, whose address takes what its call takes. */
export function listOf(organizationId: string, list: Attention['list']): string {
  return list === 'alerts' ? paths.alerts(organizationId) : paths.controllers(organizationId);
}
