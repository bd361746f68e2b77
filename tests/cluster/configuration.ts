import { stringify } from 'yaml'

/** All addresses are this machine's. Each member has its own, so that it can be cut off. */
export const HAPROXY_PORT = 4313
export const STORE_PORT = 4311
export const STORE_PEER_PORT = 4312
/** HAProxy's source address, which still reaches a member that is cut off from the others. */
export const HAPROXY_SOURCE = '127.0.3.1'
export const memberAddress = (number: number) => `127.0.1.${number}`
/** The address at which a member finds the cluster's store. */
export const storeAddress = (number: number) => `127.0.2.${number}`
export const databasePort = (number: number) => 4320 + number
export const apiPort = (number: number) => 4330 + number

/** Options that decide how long a failover takes and what it may lose. */
export interface ClusterOptions {
  /** whether a commit waits for a second member; otherwise a killed primary loses writes */
  isSynchronous?: boolean
  /** whether HAProxy cuts the connections to a former primary */
  isCutting?: boolean
  /** whether the product connects to the three members directly */
  isWithoutProxy?: boolean
}

/** Patroni's configuration of one member. docs/operations.md shows the same for three machines. */
export function patroniYaml(
  number: number,
  folder: string,
  programs: string,
  { isSynchronous = true }: ClusterOptions,
): string {
  return stringify({
    scope: 'superday',
    name: `member-${number}`,
    restapi: {
      listen: `${memberAddress(number)}:${apiPort(number)}`,
      connect_address: `${memberAddress(number)}:${apiPort(number)}`,
    },
    // Not etcd3: with it, a Patroni 3.0 primary that wakes from a hang overwrites its successor's leadership. With the
    // older API, it can only renew a leadership that it still has.
    etcd: { host: `${storeAddress(number)}:${STORE_PORT}`, use_proxies: true },
    bootstrap: {
      dcs: {
        // Seconds. A primary loses its leadership after ttl without a sign of life. Patroni's minimum is 20.
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        // Don't wait for a dead PostgreSQL: another member takes over immediately.
        primary_start_timeout: 0,
        maximum_lag_on_failover: isSynchronous ? 1_048_576 : 1_073_741_824,
        synchronous_mode: isSynchronous,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 100,
            wal_log_hints: 'on',
            // A walsender drops a silent standby after this time.
            wal_sender_timeout: '5s',
            wal_receiver_timeout: '5s',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1,${memberAddress(number)}:${databasePort(number)}`,
      connect_address: `${memberAddress(number)}:${databasePort(number)}`,
      data_dir: `${folder}/member-${number}`,
      bin_dir: programs,
      use_unix_socket: true,
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
      },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.0/8 trust',
        'host replication replicator 127.0.0.0/8 trust',
      ],
      parameters: { unix_socket_directories: folder },
    },
  })
}

/** HAProxy's configuration: one port that leads to the current primary. */
export function haproxyConfig(members: readonly number[], { isCutting = true }: ClusterOptions) {
  const cut = isCutting ? ' on-marked-down shutdown-sessions' : ''
  return `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 1s
listen primary
  bind 127.0.0.1:${HAPROXY_PORT}
  source ${HAPROXY_SOURCE}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1${cut}
${members
  .map(
    (number) =>
      `  server member-${number} ${memberAddress(number)}:${databasePort(number)} check port ${apiPort(number)}\n`,
  )
  .join('')}`
}
