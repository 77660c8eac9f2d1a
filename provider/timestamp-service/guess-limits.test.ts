import { expect, test } from 'vitest'
import { guessLimits } from './timestamp-password.ts'

function clocked() {
  let at = 1_000_000
  const limits = guessLimits(() => at)
  return { limits, pass: (seconds: number) => void (at += seconds * 1000) }
}

/** How many of several guesses are allowed. */
function allowedGuesses(
  { charge }: ReturnType<typeof guessLimits>,
  tries: number,
  login: string,
  address: (n: number) => string,
) {
  return Array.from({ length: tries }, (_, n) => charge(login, address(n)).ok).filter(Boolean).length
}

test('TSP-4 R16 from one address an account takes ten guesses, and then one a minute, to the second', () => {
  const { limits, pass } = clocked()
  expect(allowedGuesses(limits, 30, 'anna', () => '198.51.100.7')).toBe(10)
  expect(limits.charge('anna', '198.51.100.7')).toEqual({ ok: false, retryAfter: 60 })
  pass(59)
  expect(limits.charge('anna', '198.51.100.7')).toEqual({ ok: false, retryAfter: 1 })
  pass(1)
  expect(limits.charge('anna', '198.51.100.7').ok).toBe(true)
  expect(limits.charge('anna', '198.51.100.7').ok).toBe(false)
})

test('TSP-4 R16 from everywhere together an account takes a hundred, and then one each three seconds', () => {
  const { limits, pass } = clocked()
  const everywhere = (n: number) => `203.0.113.${n}`
  expect(allowedGuesses(limits, 250, 'anna', everywhere)).toBe(100)
  expect(limits.charge('anna', '192.0.2.1')).toEqual({ ok: false, retryAfter: 3 })
  pass(3)
  expect(limits.charge('anna', '192.0.2.1').ok).toBe(true)
  // Another account is not affected.
  expect(limits.charge('bob', '192.0.2.1').ok).toBe(true)
})

test('TSP-4 R17 strangers never keep the owner waiting at the address that the right password came from before', () => {
  const { limits } = clocked()
  limits.trust('anna', '192.0.2.1')
  allowedGuesses(limits, 250, 'anna', (n) => `203.0.113.${n}`)
  expect(limits.charge('anna', '192.0.2.1').ok).toBe(true)
})

test('TSP-4 R28 one address may make two hundred guesses, at any accounts', () => {
  const { limits } = clocked()
  const passed = Array.from({ length: 300 }, (_, n) => limits.charge(`person${n}`, '198.51.100.7').ok).filter(Boolean)
  expect(passed.length).toBe(200)
})

test('TSP-4 a guess that was right is given back', () => {
  const { limits } = clocked()
  for (let n = 0; n < 50; n++) {
    const taken = limits.charge('anna', '198.51.100.7')
    if (!taken.ok) throw new Error(`The guess ${n} was refused`)
    taken.refund()
  }
})

test('R26 addresses of one IPv6 network are one', () => {
  const { limits } = clocked()
  const network = (n: number) => `2001:db8::${n.toString(16)}`
  expect(allowedGuesses(limits, 15, 'anna', network)).toBe(10)
  expect(limits.charge('anna', '2001:db8:0:0:ffff::1').ok).toBe(false)
  expect(limits.charge('anna', '2001:db8:0:1::1').ok).toBe(true)
})
