import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { openPortal } from '../testing/open-portal.ts'
import { type TestPortal } from '../testing/portal-nodes.ts'
import {
  guessAtOnce,
  guessOverOperations,
  killAmongRequests,
  lockOut,
  repeatAtOnce,
  resendAtOnce,
  resendToOneNumber,
  tryPasswordsAtOnce,
} from '../testing/attacks.ts'
import { manySends, openProcess, reachedThrough, type TestProcess } from '../testing/processes.ts'

// The same attacks at their full size, in many rounds: `npm run drills attacks`.
const [many, sessions] = [400, 30]
const perNumber = sessions + 3
let processes: TestProcess[]
let wide: TestPortal
const portal = await openPortal({ settings: manySends(perNumber) })
beforeAll(async () => {
  processes = await Promise.all([openProcess(portal), openProcess(portal)])
  wide = reachedThrough(portal, processes)
})
afterAll(async () => {
  await Promise.all(processes.map((process) => process.close()))
})

test('R21 of many guesses at one code through two processes five are judged, and the right code is refused afterwards', async () => {
  expect(await guessAtOnce(wide, many)).toEqual({ judged: 5, lateStatus: 422 })
})

test('R22 the right code sent many times through two processes opens one session', async () => {
  // An identical request gets the answer of the first, and opens no session (R112).
  expect((await repeatAtOnce(wide, many)).sessions).toBe(1)
})

test('R20 over many operations at once, with resends between, two processes judge ten guesses, and then not even the right code', async () => {
  expect(await guessOverOperations(wide, sessions)).toEqual({ judged: 10, lateStatus: 429 })
})

test('R25 many resends at once through two processes send three messages in all', async () => {
  expect(await resendAtOnce(wide, many / 2)).toEqual({ sent: limits.code.sends })
})

test('R25 R26 many resends from many sessions to one number send what its day has left', async () => {
  expect(await resendToOneNumber(wide, many, sessions, perNumber)).toEqual({ sent: 3 })
})

test('R16 of many passwords through two processes five are checked, the right one among them at the end is not, and the limit is one event', async () => {
  expect(await tryPasswordsAtOnce(wide, processes, many)).toEqual({ checked: 5, right: 429, late: 429, limitEvents: 1 })
})

test('R17 R118 R12 wrong passwords from many networks and the owner’s own: the owner is in on a known device, back with one reset elsewhere, has one mail, and codes are untouched', async () => {
  const outcome = await lockOut(wide, 600, 100)
  expect(outcome).toEqual({
    onKnown: 200,
    onUnknown: 'account-blocked',
    recovered: 200,
    notices: 1,
    codesUntouched: true,
  })
})

test('R78 a limit holds over two processes of which one is killed among the requests, and over a new one', async () => {
  // The last test: it ends one of the processes.
  const { accepted, refusedLater, another } = await killAmongRequests(wide, processes, () => openProcess(portal), 200)
  await another.close()
  expect(accepted).toBeLessThanOrEqual(limits.reset.perAddress.limit)
  // Requests that the killed process did not answer count as well, so that nothing may be left for the others.
  expect(refusedLater).toBeGreaterThanOrEqual(10)
})
