import { isIPv6 } from 'node:net'

/** So many guesses at once, and one more each so many seconds. */
type Allowance = { most: number; secondsEach: number }

/** Wrong passwords for one account from one address; for one account from everywhere; from one address for whatever account. */
const allowances = {
  pair: { most: 10, secondsEach: 60 },
  login: { most: 100, secondsEach: 3 },
  address: { most: 200, secondsEach: 3 },
} satisfies Record<string, Allowance>

/** Counts kept at a time: those that nobody has added to for longest go first. */
const keptAtMost = 20_000

/** Guesses that were let through and may be given back, or the seconds after which one may be made. */
type Let = { ok: true; giveBack: () => void } | { ok: false; retryAfter: number }

/**
 * How often passwords may be guessed, in memory, because one process is the authority. A login is never shut: strangers can
 * slow its guesses to one each three seconds, and from an address that the right password came from before not even that.
 */
export function guessLimits(now: () => number) {
  const counts = new Map<string, { spent: number; at: number }>()
  const proven = new Set<string>()

  const spentOf = (key: string, { secondsEach }: Allowance) => {
    const { spent, at } = counts.get(key) ?? { spent: 0, at: now() }
    return Math.max(0, spent - (now() - at) / (secondsEach * 1000))
  }
  const add = (key: string, allowance: Allowance, guesses: 1 | -1) => {
    const spent = Math.max(0, spentOf(key, allowance) + guesses)
    counts.delete(key)
    if (spent > 0) counts.set(key, { spent, at: now() })
    if (counts.size > keptAtMost) counts.delete(counts.keys().next().value!)
  }

  return {
    /** Takes a guess before it is looked at, so that guesses at the same time cannot outrun the count. */
    take(login: string, address: string): Let {
      const network = networkOf(address)
      const pair = JSON.stringify([login, network])
      const asked: [string, Allowance][] = [[pair, allowances.pair]]
      if (!proven.has(pair))
        asked.push([`login ${login}`, allowances.login], [`address ${network}`, allowances.address])
      const waits = asked.map(
        ([key, allowance]) => (spentOf(key, allowance) + 1 - allowance.most) * allowance.secondsEach,
      )
      const wait = Math.max(...waits)
      // Whole milliseconds, as fractions of guesses are not exact.
      if (wait >= 0.001) return { ok: false, retryAfter: Math.ceil(Math.round(wait * 1000) / 1000) }
      for (const [key, allowance] of asked) add(key, allowance, 1)
      return {
        ok: true,
        giveBack: () => {
          for (const [key, allowance] of asked) add(key, allowance, -1)
        },
      }
    },
    /** The right password came from there. */
    prove(login: string, address: string) {
      proven.add(JSON.stringify([login, networkOf(address)]))
      if (proven.size > keptAtMost) proven.delete(proven.keys().next().value!)
    },
  }
}

/** Of IPv6 the /64, which is one customer of a network (RFC 6177). */
function networkOf(address: string) {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after].slice(0, 4).join(':')
}
