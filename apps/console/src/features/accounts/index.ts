export { LoginPage } from './pages/LoginPage.tsx';
export { PasswordResetConfirmPage } from './pages/PasswordResetConfirmPage.tsx';
export { PasswordResetPage } from './pages/PasswordResetPage.tsx';
export { SecurityPage } from './pages/SecurityPage.tsx';
export { SignupPage } from './pages/SignupPage.tsx';
