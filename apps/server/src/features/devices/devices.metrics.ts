import { type Metric, sample } from '../../platform/prometheus/metric.ts';
import type { AdmissionControl } from './admission-control.ts';
import type { LocalLinks } from './local-links.ts';

/** Links of devices, how they come and go, and who waits to come in. */
export function createDeviceMetrics(
  links: Pick<LocalLinks, 'listIds' | 'countWaiting' | 'counts'>,
  admission: Pick<AdmissionControl, 'state'>,
): readonly Metric[] {
  const { counts } = links;
  return [
    {
      name: 'pult_links',
      help: 'Links of devices: open ones, and ones that were cut and are waited for',
      type: 'gauge',
      labels: ['state'],
      read: () => [
        { labels: { state: 'open' }, value: links.listIds().length },
        { labels: { state: 'waiting' }, value: links.countWaiting() },
      ],
    },
    {
      name: 'pult_links_opened_total',
      help: 'Links that devices have opened',
      type: 'counter',
      read: () => sample(counts.opened),
    },
    {
      name: 'pult_links_cut_total',
      help: 'Cuts of links that the device may go on with',
      type: 'counter',
      read: () => sample(counts.cut),
    },
    {
      name: 'pult_links_ended_total',
      help: 'Links that have ended, by reason',
      type: 'counter',
      labels: ['reason'],
      read: () => counts.ended.read('reason'),
    },
    {
      name: 'pult_link_streams',
      help: 'Streams to endpoints of devices that are open',
      type: 'gauge',
      labels: ['endpoint'],
      read: () => counts.streamsOpen.read('endpoint'),
    },
    {
      name: 'pult_link_streams_opened_total',
      help: 'Streams to endpoints of devices that were opened',
      type: 'counter',
      labels: ['endpoint'],
      read: () => counts.streamsOpened.read('endpoint'),
    },
    {
      name: 'pult_admission_waiting',
      help: 'Devices that wait to come in',
      type: 'gauge',
      read: () => sample(admission.state.waiting),
    },
    {
      name: 'pult_admission_active',
      help: 'Pieces of work for devices that come in that are going on',
      type: 'gauge',
      read: () => sample(admission.state.active),
    },
    {
      name: 'pult_admission_refused_total',
      help: 'Devices that were asked to come back later because too many waited',
      type: 'counter',
      read: () => sample(admission.state.refused),
    },
  ];
}
