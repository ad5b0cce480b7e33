import i18next from 'i18next';
import { showToast } from '../../shared/toasts/show-toast.tsx';

/** Spec, section 2; once, whoever finds out. */
export function tellOrganizationIsGone(organizationId: string): void {
  showToast({
    severity: 'error',
    summary: i18next.t('organizationDoesNotExist', { ns: 'app' }),
    id: `organization-gone:${organizationId}`,
  });
}
