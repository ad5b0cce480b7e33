import { limits } from '@pult/contract';

export interface PasswordRules {
  hasLength: boolean;
  /** Always true where the email is not known. */
  isNotEmail: boolean;
}

/** The rules of a new password that a page can check; whether it is a common one, only the server knows. */
export function checkPassword(password: string, email: string | undefined): PasswordRules {
  // Code points, as the server counts.
  const { length } = [...password];
  return {
    hasLength: length >= limits.passwordMinLength && length <= limits.passwordMaxLength,
    isNotEmail: email === undefined || password.trim().toLowerCase() !== email.trim().toLowerCase(),
  };
}

export function isFit({ hasLength, isNotEmail }: PasswordRules): boolean {
  return hasLength && isNotEmail;
}
