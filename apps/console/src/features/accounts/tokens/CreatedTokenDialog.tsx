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
  const example = `curl -H "authorization: Bearer $PULT_TOKEN" ${window.location.origin}/api/v1/organizations/`;
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
