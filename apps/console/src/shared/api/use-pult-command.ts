import { pultCommand } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { environmentsQuery } from './queries.ts';

/** How the commands are called where the server runs, as it says itself. */
export function usePultCommand(): string {
  return useQuery(environmentsQuery).data?.PULT_COMMAND ?? pultCommand;
}
