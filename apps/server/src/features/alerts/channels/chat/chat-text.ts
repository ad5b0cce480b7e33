import { formatText, type Locale, type Text } from '@pult/contract';
import { alertsPath, type Message } from '../../message.ts';
import { listGroups, listValues, open, type Quote, textsOf } from '../alert-texts.ts';

const test: { title: Text; lead: Text } = {
  title: { ru: 'Проверка оповещений — {organization}', en: 'Test of alerts – {organization}' },
  lead: {
    ru: 'Это проверка. Такие сообщения будут приходить, если контроллер не выходит на связь дольше {minutes} мин.',
    en: 'This is a test. Such messages will come when a controller has not been seen for over {minutes} min.',
  },
};

/** A message for a chat, in lines: what happened, to which controllers, and where to look. */
export interface ChatText {
  title: string;
  lines: string[];
  link: { url: string; text: string };
}

export function writeChatText(
  message: Message,
  { locale, publicUrl, quote }: { locale: Locale; publicUrl: string; quote: Quote },
): ChatText {
  const values = listValues(message, quote);
  const link = { url: `${publicUrl}${alertsPath(message.rule)}`, text: formatText(open, locale) };
  if (message.kind === 'test') {
    const { title, lead } = test;
    return { title: formatText(title, locale, values), lines: [formatText(lead, locale, values)], link };
  }
  const { one, many, lead, line } = textsOf[message.kind];
  return {
    title: formatText(message.count === 1 ? one : many, locale, values),
    lines: [
      formatText(lead, locale, values),
      ...listGroups(message, line, locale, quote).flatMap((group) => ['', ...group.split('\n')]),
    ],
    link,
  };
}

/** As many of the lines as have room in so many UTF-16 units, the last one saying that there was more. */
export function fitLines(lines: readonly string[], room: number): string {
  const fitting: string[] = [];
  let left = room - 2;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) return [...fitting, '…'].join('\n');
    fitting.push(line);
  }
  return fitting.join('\n');
}
