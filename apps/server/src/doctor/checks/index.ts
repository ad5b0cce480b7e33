import type { DoctorCheck } from '../doctor.ts';
import { acme } from './acme.ts';
import { address } from './address.ts';
import { certificate } from './certificate.ts';
import { clock } from './clock.ts';
import { database } from './database.ts';
import { disk } from './disk.ts';
import { goneSettings } from './gone-settings.ts';
import { kernel } from './kernel.ts';
import { mail } from './mail.ts';
import { nats } from './nats.ts';
import { ports } from './ports.ts';
import { proxy } from './proxy.ts';
import { grafana, s3, victoriaMetrics } from './stores.ts';
import { traces } from './traces.ts';
import { wirenBoard } from './wiren-board.ts';

/** In the order in which they are told. */
export const checks: readonly DoctorCheck[] = [
  address,
  certificate,
  acme,
  clock,
  ports,
  goneSettings,
  proxy,
  wirenBoard,
  mail,
  disk,
  database,
  kernel,
  nats,
  victoriaMetrics,
  s3,
  grafana,
  traces,
];
