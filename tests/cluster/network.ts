import { execFileSync } from 'node:child_process'
import { HAPROXY_SOURCE, memberAddress, storeAddress } from './configuration.ts'
import { findProgram } from './packages.ts'

/** All rules of these tests lie in one chain of their own, which goes with the last of them. */
const CHAIN = 'SUPERDAY-CLUSTER'

/** Why the network of a member cannot be cut here; null when it can. */
export function describeNoCut(): string | null {
  if (!findProgram('iptables')) return 'not played, for want of iptables'
  try {
    iptables('-L', '-n')
    return null
  } catch {
    return 'not played, for want of the right to set rules of iptables'
  }
}

/**
 * Swallows what goes between a member and the others, the store of the cluster among them. HAProxy still
 * reaches it, and through it the product: the worst of cases, a primary that nobody but its clients knows.
 */
export function cutOff(number: number): void {
  const [own, store] = [memberAddress(number), storeAddress(number)]
  iptables('-N', CHAIN)
  iptables('-A', CHAIN, '-d', store, '-j', 'DROP')
  iptables('-A', CHAIN, '-s', store, '-j', 'DROP')
  iptables('-A', CHAIN, '-d', own, '!', '-s', HAPROXY_SOURCE, '-j', 'DROP')
  iptables('-A', CHAIN, '-s', own, '!', '-d', HAPROXY_SOURCE, '-j', 'DROP')
  iptables('-I', 'OUTPUT', '-o', 'lo', '-p', 'tcp', '-j', CHAIN)
}

/** Takes every rule back; also where there is none. */
export function heal(): void {
  for (const rule of [
    ['-D', 'OUTPUT', '-o', 'lo', '-p', 'tcp', '-j', CHAIN],
    ['-F', CHAIN],
    ['-X', CHAIN],
  ]) {
    try {
      iptables(...rule)
    } catch {
      // There was none.
    }
  }
}

function iptables(...args: string[]): void {
  // -w waits for other processes that are changing rules.
  execFileSync(findProgram('iptables') as string, ['-w', ...args], { stdio: 'pipe' })
}
