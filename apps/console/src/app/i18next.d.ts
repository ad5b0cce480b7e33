import 'i18next';
import type { Texts } from './messages.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shared';
    resources: Texts;
  }
}
