import { useTranslation } from 'react-i18next';
import { ShownOnceDialog } from '../../../shared/ui/ShownOnceDialog.tsx';

export interface InviteLink {
  email: string;
  url: string;
}

interface Props {
  /** Undefined: closed. */
  link: InviteLink | undefined;
  onClose: () => void;
}

/** The link that no mail could carry, for whoever invites to hand over. */
export function InviteLinkDialog({ link, onClose }: Props) {
  const { t } = useTranslation('organizations');
  return (
    <ShownOnceDialog
      secret={link?.url}
      title={t('invites.linkTitle')}
      text={t('invites.linkText', { email: link?.email ?? '' })}
      copies={[{ text: link?.url ?? '' }]}
      closeLabel={t('invites.done')}
      onClose={onClose}
    />
  );
}
