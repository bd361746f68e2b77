import { stringify } from 'yaml'

/** Every address is this machine's; a member has one of its own, so that it can be cut off by it. */
export const HAPROXY_PORT = 4313
export const STORE_PORT = 4311
export const STORE_PEER_PORT = 4312
/** Where HAProxy comes from, which still reaches a member that is cut off from the others. */
export const HAPROXY_SOURCE = '127.0.3.1'
export const memberAddress = (number: number) => `127.0.1.${number}`
/** Under which a member finds the store of the cluster. */
export const storeAddress = (number: number) => `127.0.2.${number}`
export const databasePort = (number: number) => 4320 + number
export const apiPort = (number: number) => 4330 + number

/** What decides how long a failover takes, and what it may lose. */
export interface ClusterOptions {
  /** whether a commit waits for a second member; without it a killed primary takes writes along */
  isSynchronous?: boolean
  /** whether HAProxy cuts the connections to a member that is the primary no more */
  isCutting?: boolean
  /** whether the product knows the three members by their addresses, and no HAProxy */
  isWithoutProxy?: boolean
}

/** Patroni's file of one member. docs/operations.md shows the same for a cluster of three machines. */
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
    // Not etcd3: in that, a primary of Patroni 3.0 that wakes from a hang writes itself into the place that
    // another has taken meanwhile. By the older API it only takes the place while it still has it.
    etcd: { host: `${storeAddress(number)}:${STORE_PORT}`, use_proxies: true },
    bootstrap: {
      dcs: {
        // Seconds. A primary that says nothing for ttl has lost its place: 20 is the least that Patroni takes.
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        // A PostgreSQL that died is not waited for: another member takes over at once.
        primary_start_timeout: 0,
        maximum_lag_on_failover: isSynchronous ? 1_048_576 : 1_073_741_824,
        synchronous_mode: isSynchronous,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 100,
            wal_log_hints: 'on',
            // A walsender whose standby is silent lets go of it after so long.
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
