import { Loader, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconCircleCheck } from '../../../shared/icons/IconCircleCheck.ts';
import { AfterDelay } from '../../../shared/ui/AfterDelay.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import type { TokenCheck } from '../use-token-check.ts';
import classes from './add-controller.module.css';

interface Props {
  token: string;
  check: TokenCheck;
  onChange: (input: string) => void;
}

/** The token, and what the server says of it while one types. */
export function TokenField({ token, check, onChange }: Props) {
  const { t } = useTranslation('activation');
  return (
    <div>
      <TextInput
        label={t('token')}
        description={t('tokenHint')}
        value={token}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={check.state === 'invalid' && check.reason}
        rightSection={
          check.state === 'checking' ? (
            <AfterDelay>
              <Loader size={14} />
            </AfterDelay>
          ) : null
        }
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        autoFocus={token === ''}
        classNames={{ input: classes.token ?? '' }}
      />
      <div className={classes.check} role="status">
        {check.state === 'valid' && (
          <Text component="span" size="sm" className={classes.found}>
            <IconCircleCheck size={16} aria-hidden />
            {t('found')} <Mono>{check.serialNumber}</Mono>
          </Text>
        )}
        {check.state === 'checking' && <VisuallyHidden>{t('checking')}</VisuallyHidden>}
      </div>
    </div>
  );
}
