import { availableParallelism } from 'node:os';
import { usableMemory } from '../../workers/usable-memory.ts';
import { host } from './processes.ts';

/** Settings that suit 2 GiB of memory as well as 24. Given at each start, so that a new version updates them. */
export function clusterSettings({
  port,
  durable,
}: {
  port: number;
  durable: boolean;
}): Record<string, string> {
  const mebibytes = usableMemory() / 2 ** 20;
  return {
    listen_addresses: host,
    port: String(port),
    // A socket path may have 107 bytes; ours can be longer.
    unix_socket_directories: '',
    // One server process per core, each with up to sixteen connections.
    max_connections: String(Math.max(100, 40 + 16 * availableParallelism())),
    // An eighth of the memory. If index pages do not fit, others have to be written out to make room.
    shared_buffers: `${Math.min(Math.max(Math.floor(mebibytes / 8), 128), 2048)}MB`,
    effective_cache_size: `${Math.floor(mebibytes / 2)}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    random_page_cost: '1.1',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    // The log of a large transaction is on its way to the disk before its commit waits for it: the wait is a third
    // as long.
    wal_writer_delay: '10ms',
    wal_compression: 'on',
    synchronous_commit: durable ? 'on' : 'off',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    // Errors quote values, which are patients' data; the server logs error codes instead.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  };
}
