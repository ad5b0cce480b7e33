import { useTranslation } from 'react-i18next';
import { ShownOnceDialog } from '../../../shared/ui/ShownOnceDialog.tsx';

interface Props {
  /** Undefined: closed. */
  token: string | undefined;
  onClose: () => void;
}

/** The token and a first call with it. */
export function CreatedTokenDialog({ token, onClose }: Props) {
  const { t } = useTranslation('tokens');
  // As it can be run: a variable that nobody has set would be refused.
  const example = `curl -H "authorization: Bearer ${token ?? ''}" ${window.location.origin}/api/v1/organizations/`;
  return (
    <ShownOnceDialog
      secret={token}
      title={t('made.title')}
      text={t('made.text')}
      copies={[
        { label: t('made.token'), text: token ?? '' },
        { label: t('made.example'), text: example },
      ]}
      closeLabel={t('made.done')}
      size={560}
      onClose={onClose}
    />
  );
}
