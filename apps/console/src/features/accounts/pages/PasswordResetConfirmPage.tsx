export function PasswordResetConfirmPage() {
  return null;
}
