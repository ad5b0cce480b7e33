import { Badge } from '@mantine/core';
import type { User } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../shared/ui/Section.tsx';
import { TotpOff } from './TotpOff.tsx';
import { TotpOn } from './TotpOn.tsx';

interface Props {
  user: User;
  /** Whether this server has second factors; one who has one keeps it anyway. */
  isAvailable: boolean;
}

export function TwoFactorSection({ user, isAvailable }: Props) {
  const { t } = useTranslation('security');
  if (!isAvailable && !user.totpEnabled) return null;
  const text = user.totpEnabled ? (isAvailable ? 'totp.onText' : 'totp.unavailable') : 'totp.offText';
  return (
    <Section
      id="totp"
      title={t('totp.title')}
      description={t(text)}
      actions={
        <Badge variant="light" color={user.totpEnabled ? 'teal' : 'gray'} tt="none">
          {t(user.totpEnabled ? 'totp.on' : 'totp.off')}
        </Badge>
      }
    >
      {/* Both stay mounted: each shows what its own change has led to. */}
      <TotpOff email={user.email} isShown={!user.totpEnabled} />
      <TotpOn user={user} isShown={user.totpEnabled} />
    </Section>
  );
}
