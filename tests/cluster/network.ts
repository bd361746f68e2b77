import { execFileSync } from 'node:child_process'
import { HAPROXY_SOURCE, memberAddress, storeAddress } from './configuration.ts'
import { findProgram } from './packages.ts'

/** All rules of these tests are in their own chain, which is removed at the end. */
const CHAIN = 'SUPERDAY-CLUSTER'

/** Why a member's network can't be cut here; null if it can. */
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
 * Drops traffic between a member and the others, including the cluster's store. HAProxy and the product still reach it.
 * This is the worst case: only its clients know this primary.
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

/** Removes all rules, if there are any. */
export function heal(): void {
  for (const rule of [
    ['-D', 'OUTPUT', '-o', 'lo', '-p', 'tcp', '-j', CHAIN],
    ['-F', CHAIN],
    ['-X', CHAIN],
  ]) {
    try {
      iptables(...rule)
    } catch {
      // There was no such rule.
    }
  }
}

function iptables(...args: string[]): void {
  // -w waits for other processes that are changing rules.
  execFileSync(findProgram('iptables') as string, ['-w', ...args], { stdio: 'pipe' })
}
