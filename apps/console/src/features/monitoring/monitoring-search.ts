import { systemMetricNames } from '@pult/contract/values';
import { defineSearch } from '../../shared/search/define-search.ts';
import { oneOf, type SearchPart } from '../../shared/search/search-parts.ts';

/** As controllers have it, however somebody wrote it by hand; undefined for the whole fleet. */
const serialNumber: SearchPart<string | undefined> = {
  initial: undefined,
  // Named as Grafana's dashboards name a variable, so that one link serves both.
  parameters: ['var-controller'],
  read: (raw, parameter) => {
    const value = raw[parameter];
    return typeof value === 'string' && value !== '' ? value.toUpperCase() : undefined;
  },
  write: (value, parameter) => (value === undefined ? {} : { [parameter]: value }),
};

/** What the page is about; it lives in the address beside the period. */
export const monitoringSearch = defineSearch({
  serialNumber,
  metric: oneOf(systemMetricNames, 'cpu_usage'),
});
