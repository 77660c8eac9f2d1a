import { isIPv6 } from 'node:net'
import { addNewest } from '../newest-entries.ts'

/** The burst of guesses, and the seconds until another one is allowed. */
type Allowance = { most: number; secondsEach: number }

/** Wrong passwords for one account from one address, for one account from anywhere, from one address for any account. */
const allowances = {
  pair: { most: 10, secondsEach: 60 },
  login: { most: 100, secondsEach: 3 },
  address: { most: 200, secondsEach: 3 },
} satisfies Record<string, Allowance>

/** Limits the memory: the counts that were unchanged for longest are removed first. */
const maxEntries = 20_000

/** An allowed guess, which may be refunded, or the seconds to wait. */
type Charge = { ok: true; refund: () => void } | { ok: false; retryAfter: number }

/**
 * Limits password guesses, in memory, because the authority is one process. A login is never locked: strangers can slow
 * attempts down to one every three seconds, but not from an address that has sent the correct password before.
 */
export function guessLimits(now: () => number) {
  const counts = new Map<string, { spent: number; at: number }>()
  const trusted = new Map<string, true>()

  const spentOf = (key: string, { secondsEach }: Allowance) => {
    const { spent, at } = counts.get(key) ?? { spent: 0, at: now() }
    return Math.max(0, spent - (now() - at) / (secondsEach * 1000))
  }
  const add = (key: string, allowance: Allowance, guesses: 1 | -1) => {
    const spent = Math.max(0, spentOf(key, allowance) + guesses)
    if (spent > 0) addNewest(counts, key, { spent, at: now() }, maxEntries)
    else counts.delete(key)
  }

  return {
    /** Charges a guess before it is checked, so that simultaneous guesses cannot exceed the limit. */
    charge(login: string, address: string): Charge {
      const network = networkOf(address)
      const pair = JSON.stringify([login, network])
      const limits: [string, Allowance][] = [[pair, allowances.pair]]
      if (!trusted.has(pair))
        limits.push([`login ${login}`, allowances.login], [`address ${network}`, allowances.address])
      const waits = limits.map(
        ([key, allowance]) => (spentOf(key, allowance) + 1 - allowance.most) * allowance.secondsEach,
      )
      const wait = Math.max(...waits)
      // Rounded to milliseconds, because fractions of guesses are inexact.
      if (wait >= 0.001) return { ok: false, retryAfter: Math.ceil(Math.round(wait * 1000) / 1000) }
      for (const [key, allowance] of limits) add(key, allowance, 1)
      return {
        ok: true,
        refund: () => {
          for (const [key, allowance] of limits) add(key, allowance, -1)
        },
      }
    },
    /** Records that the correct password came from this address. */
    trust(login: string, address: string) {
      addNewest(trusted, JSON.stringify([login, networkOf(address)]), true, maxEntries)
    },
  }
}

/** The /64 of an IPv6 address, which is one site (RFC 6177). */
function networkOf(address: string) {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after].slice(0, 4).join(':')
}
