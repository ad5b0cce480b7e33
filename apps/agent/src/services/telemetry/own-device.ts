import type { MqttClient } from 'mqtt';

/** The agent's own virtual device on the broker, by the convention that local programs know. */
export const ownDevice = 'pult-agent';
const root = `/devices/${ownDevice}`;
export const ownStatusTopic = `${root}/controls/status`;

export interface OwnState {
  /** What a person opens to claim the controller; null once it is claimed. */
  activationLink: string | null;
  status: string;
}

/** Publishes the state of the agent for the controller's own web interface and for scripts. */
export function publishOwnState(client: MqttClient, { activationLink, status }: OwnState): void {
  const publish = (topic: string, payload: string) =>
    client.publish(topic, payload, { retain: true, qos: 0 }, () => {
      // Without a connection the next one publishes everything anew.
    });
  publish(`${root}/meta/name`, 'Pult');
  for (const [control, name, order] of [
    ['status', 'Status', '1'],
    ['activation_link', 'Activation link', '2'],
  ] as const) {
    publish(`${root}/controls/${control}/meta/name`, name);
    publish(`${root}/controls/${control}/meta/type`, 'text');
    publish(`${root}/controls/${control}/meta/readonly`, '1');
    publish(`${root}/controls/${control}/meta/order`, order);
  }
  publish(ownStatusTopic, status);
  publish(`${root}/controls/activation_link`, activationLink ?? '-');
}
