import { VisuallyHidden } from '@mantine/core';
import { limits } from '@pult/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconCheck } from '../../shared/icons/IconCheck.ts';
import { IconPoint } from '../../shared/icons/IconPoint.ts';
import { IconX } from '../../shared/icons/IconX.ts';
import classes from './accounts.module.css';
import { PasswordField } from './PasswordField.tsx';
import { checkPassword } from './password-rules.ts';

interface Props {
  label: string;
  value: string;
  /** Of the account, where it is known. */
  email: string | undefined;
  /** What the server or the form has against it. */
  error: string | undefined;
  autoFocus?: boolean;
  onChange: (password: string) => void;
}

/** A password to be set, with its rules checked while it is typed. */
export function NewPasswordField({ label, value, email, error, autoFocus = false, onChange }: Props) {
  const { t } = useTranslation('accounts');
  const { hasLength, isNotEmail } = checkPassword(value, email);
  const isEmpty = value === '';
  return (
    <div>
      <PasswordField
        label={label}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        name="new-password"
        autoComplete="new-password"
        autoFocus={autoFocus}
        data-autofocus={autoFocus || undefined}
      />
      <ul className={classes.rules} aria-label={t('password.rules')} aria-live="polite">
        <PasswordRule isMet={isEmpty ? undefined : hasLength} isWrong={error !== undefined && !hasLength}>
          {t('password.ruleLength', { min: limits.passwordMinLength, max: limits.passwordMaxLength })}
        </PasswordRule>
        {email !== undefined && (
          <PasswordRule isMet={isEmpty ? undefined : isNotEmail} isWrong={!isNotEmail && !isEmpty}>
            {t('password.ruleEmail')}
          </PasswordRule>
        )}
      </ul>
    </div>
  );
}

interface RuleProps {
  /** Undefined while nothing is typed. */
  isMet: boolean | undefined;
  /** Not only not met yet: the password was refused for it, or can never be right. */
  isWrong: boolean;
  children: ReactNode;
}

function PasswordRule({ isMet, isWrong, children }: RuleProps) {
  const { t } = useTranslation('accounts');
  const Icon = isMet ? IconCheck : isWrong ? IconX : IconPoint;
  return (
    <li className={classes.rule} data-state={isMet ? 'met' : isWrong ? 'unmet' : 'open'}>
      <Icon size={14} aria-hidden />
      <span>{children}</span>
      {isMet !== undefined && (
        <VisuallyHidden>, {t(isMet ? 'password.met' : 'password.unmet')}</VisuallyHidden>
      )}
    </li>
  );
}
