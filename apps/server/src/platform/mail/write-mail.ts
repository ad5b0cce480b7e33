import { formatText, type Locale, type Text } from '@pult/contract';
import {
  type MailKind,
  type MailPlaceholders,
  type MailTexts,
  mailCatalogue,
  mailValueKinds,
} from './catalogue.ts';
import { type MailValueTypes, type WrittenValue, writeMailValue } from './format-mail-value.ts';
import type { OutgoingMail } from './mail.ts';
import type { Sender } from './render-mail.ts';

export interface MailRecipient {
  email: string;
  locale: Locale;
}

type ValueKinds = typeof mailValueKinds;

/** What the caller gives for a kind of mail, by its placeholders. */
export type MailValues<Kind extends MailKind> = {
  // A placeholder without a row in mailValueKinds takes no value at all.
  [Name in MailPlaceholders<Kind>]: Name extends keyof ValueKinds ? MailValueTypes[ValueKinds[Name]] : never;
};

/** Writes a mail to one recipient in their language. Its links are made from PUBLIC_URL alone. */
export type MailWriter = <Kind extends MailKind>(
  kind: Kind,
  recipient: MailRecipient,
  values: MailValues<Kind>,
) => OutgoingMail;

/** What no mail says, such as another property of an object that was passed on, is left out. */
function writeValues(values: object, locale: Locale): Map<string, WrittenValue> {
  const given = Object.entries(values).filter(([name]) => Object.hasOwn(mailValueKinds, name));
  return new Map(
    given.map(([name, value]) => {
      // MailValues has seen that the value is of its placeholder's kind.
      const write = writeMailValue[mailValueKinds[name as keyof ValueKinds]] as (
        value: unknown,
        locale: Locale,
      ) => WrittenValue;
      return [name, write(value, locale)];
    }),
  );
}

export function createMailWriter({ serviceName, publicUrl }: Sender): MailWriter {
  return (kind, { email, locale }, given) => {
    const { subject, lines, action }: MailTexts = mailCatalogue[kind];
    const values = writeValues(given, locale);
    const texts = Object.fromEntries([...values].map(([name, { text }]) => [name, text]));
    const format = (text: Text) => formatText(text, locale, { service: serviceName, email, ...texts });
    const path = action.path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const { text = placeholder, segments = [text] } = values.get(name) ?? {};
      return segments.map((segment) => encodeURIComponent(segment)).join('/');
    });
    const link = [...values.values()].find((value) => value.link)?.link;
    return {
      to: email,
      locale,
      kind,
      content: {
        subject: format(subject),
        paragraphs: lines.flatMap((line) => {
          const alone = /^\{(\w+)\}$/.exec(line[locale])?.[1];
          return values.get(alone ?? '')?.lines ?? [format(line)];
        }),
        action: { label: format(action.label), url: `${publicUrl}${path}` },
      },
      ...(link ? { link } : {}),
    };
  };
}
