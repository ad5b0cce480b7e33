import type { FieldsProps } from './channel.ts';
import { alertChannels } from './channels.ts';

/** The settings of all channels of a rule. */
export function ChannelFields(props: FieldsProps) {
  return alertChannels.map(({ name, Fields }) => <Fields key={name} {...props} />);
}
