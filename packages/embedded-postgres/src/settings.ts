/**
 * Written into postgresql.conf when the database is made, so that the owner of a larger machine can change them there.
 * Sized for a small box: one Pult server and nobody else.
 */
export const initialSettingsOf = (major: string): Record<string, string> => ({
  max_connections: '60',
  shared_buffers: '64MB',
  work_mem: '8MB',
  maintenance_work_mem: '48MB',
  effective_cache_size: '256MB',
  random_page_cost: '1.1',
  min_wal_size: '48MB',
  max_wal_size: '256MB',
  jit: 'off',
  // No separate reader processes; our working set fits into the page cache.
  ...(Number(major) >= 18 ? { io_method: 'sync' } : {}),
  max_worker_processes: '4',
  max_parallel_workers: '2',
  max_parallel_workers_per_gather: '1',
  max_logical_replication_workers: '0',
  max_wal_senders: '0',
});

/** Given on the command line at every start: what safety and our supervision rest on, above postgresql.conf. */
export function requiredSettings(socketFolder: string): Record<string, string> {
  return {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    port: String(port),
    fsync: 'on',
    full_page_writes: 'on',
    // It ends, and we start it: on a full disk it needs the reserve for that, which it cannot give up itself.
    restart_after_crash: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // Everything goes through the pipe to our log, so no file of PostgreSQL's own grows. Statements and row values
    // stay out of it: a failed statement is reported by whoever sent it.
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_statement: 'none',
    log_checkpoints: 'off',
  };
}

/** Only names the socket file; nothing listens on TCP. */
export const port = 5432;
