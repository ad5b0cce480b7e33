import { VisuallyHidden } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconPoint from '@tabler/icons-react/dist/esm/icons/IconPoint.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './accounts.module.css';

interface Props {
  /** Undefined while nothing is typed. */
  isMet: boolean | undefined;
  /** Not only not met yet: the password was refused for it, or can never be right. */
  isWrong: boolean;
  children: ReactNode;
}

export function PasswordRule({ isMet, isWrong, children }: Props) {
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
