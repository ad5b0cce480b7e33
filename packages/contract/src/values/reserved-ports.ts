import type { ConnectionKind } from './connection-kinds.ts';

/**
 * Ports whose programs ask connections from the device itself for no login, or hold what a login is to protect: tunnels come
 * from there.
 */
const everywhere: readonly number[] = [
  // SSH, telnet.
  ...[22, 23],
  // MQTT, MQTT over WebSocket, and the listeners of Wiren Board's web interface; AMQP, STOMP, NATS, Kafka.
  ...[1883, 8883, 9001, 18883, 18884, 18885, 18886, 5671, 5672, 61613, 4222, 9092],
  // SQL Server, Oracle, Firebird, MySQL, PostgreSQL.
  ...[1433, 1521, 3050, 3306, 5432, 5433],
  // etcd, CouchDB, Redis, InfluxDB, Cassandra, Elasticsearch, Memcached, MongoDB.
  ...[2379, 5984, 6379, 8086, 9042, 9200, 11211, 27017],
  // Docker: a container with the disk of the device is root.
  ...[2375, 2376],
  // Gateways to what is behind the device: Modbus TCP, S7, IEC 60870-5-104, KNX, OPC UA, EtherNet/IP.
  ...[502, 102, 2404, 3671, 6720, 4840, 44818],
  // The gate of Wiren Board's Node-RED, which asks those from loopback for no login.
  21880,
];

/** What devices of one kind have besides. */
const ofKind: Readonly<Partial<Record<ConnectionKind, readonly number[]>>> = {
  // Node-RED of the vendor's package, behind that gate, has no login of its own.
  'wiren-board': [1880],
};

/** Ports of devices of each kind that only those with `tunnels.forward` name or open, and no guest. `added`: by the installation. */
export function listReservedPorts(
  added: readonly number[] = [],
): Readonly<Record<ConnectionKind, readonly number[]>> {
  const portsOf = (kind: ConnectionKind) => [...everywhere, ...(ofKind[kind] ?? []), ...added];
  return { agent: portsOf('agent'), 'wiren-board': portsOf('wiren-board'), ssh: portsOf('ssh') };
}
