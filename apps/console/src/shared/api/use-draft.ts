import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';

/** What was typed into a field and not saved, while its user looks at other pages. */
export function useDraft(field: string) {
  const client = useQueryClient();
  const queryKey = queryKeys.draft(field);
  return {
    read: () => client.getQueryData<string>(queryKey),
    /** Undefined: it is saved, or as it was. */
    keep: (text: string | undefined) => {
      client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
      if (text === undefined) client.removeQueries({ queryKey });
      else client.setQueryData(queryKey, text);
    },
  };
}
