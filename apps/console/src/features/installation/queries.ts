import { type Query, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { isConfirmationNeeded } from '../../shared/api/confirmation.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

/** A page that stays open asks again by itself; whoever has refused to confirm is not asked for a code again and again. */
export const every = (milliseconds: number) => (query: Pick<Query, 'state'>) =>
  isConfirmationNeeded(query.state.error) ? false : milliseconds;

export const installationQuery = queryOptions({
  queryKey: queryKeys.installation.figures,
  queryFn: ({ signal }) => api('getInstallation', { signal }),
  refetchInterval: (query) => every(query.state.data?.backups?.isUnderWay ? 3_000 : 30_000)(query),
});

export const diagnosisQuery = queryOptions({
  queryKey: queryKeys.installation.diagnosis,
  queryFn: ({ signal }) => api('getDiagnosis', { signal }),
  refetchInterval: every(300_000),
});

export const nodesQuery = queryOptions({
  queryKey: queryKeys.installation.nodes,
  queryFn: ({ signal }) => api('listInstallationNodes', { signal }),
  refetchInterval: every(10_000),
});

export function useCreateBackup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('createBackup'),
    // After a refusal too: one is being made that is not shown yet.
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.installation.figures }),
  });
}

export function useResumeAgentUpdates() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('resumeAgentUpdates'),
    // After a refusal too: somebody else may have been first.
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.installation.figures }),
  });
}

export function useRetryJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) => api('retryJob', { params: { jobId } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.installation.figures }),
  });
}
