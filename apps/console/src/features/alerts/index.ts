export { describeFailure } from './channels/delivery-text.ts';
export { MailNotice } from './components/MailNotice.tsx';
export { RulesSection } from './components/RulesSection.tsx';
