import { useTranslation } from 'react-i18next';
import { ShownOnceDialog } from '../../../shared/ui/ShownOnceDialog.tsx';
import { agentCommand, LocalAddress, useDeviceOrigin } from '../../controllers/index.ts';

interface Props {
  /** Undefined: closed. */
  enrolmentKey: string | undefined;
  onClose: () => void;
}

/** The key and what to do with it. */
export function CreatedKeyDialog({ enrolmentKey, onClose }: Props) {
  const { t } = useTranslation('enrolmentKeys');
  const { origin } = useDeviceOrigin();
  const command = agentCommand(origin, enrolmentKey ?? '');
  return (
    <ShownOnceDialog
      secret={enrolmentKey}
      title={t('made.title')}
      text={t('made.text')}
      copies={[
        { label: t('made.key'), text: enrolmentKey ?? '' },
        { label: t('made.command'), text: command, hint: t('made.commandHint') },
      ]}
      notice={<LocalAddress />}
      closeLabel={t('made.done')}
      size={520}
      onClose={onClose}
    />
  );
}
