/** What happened, in the words of CloudEvents 1.0.2 (github.com/cloudevents/spec); its `id` is that of its delivery. */
export interface CloudEvent {
  /** `pult.controller.activated`. */
  type: string;
  /** Where it happened: the address of the organization. */
  source: string;
  /** What it happened to: a serial number, a name. */
  subject?: string;
  /** RFC 3339. */
  time: string;
  data: object;
}

/** The media type of the structured mode, in which the whole event is the body. */
export const cloudEventMediaType = 'application/cloudevents+json; charset=utf-8';

/** `name` is as the audit log has it: `controller.activated`. */
export const cloudEventType = (name: string): string => `pult.${name}`;

export function writeCloudEvent(id: string, event: CloudEvent): string {
  const { data, ...rest } = event;
  return JSON.stringify({ specversion: '1.0', id, ...rest, datacontenttype: 'application/json', data });
}
