import { atMost, type Figure } from '../bench/figures.ts'
import { withTestPortal } from '../bench/measured-portal.ts'
import { limits } from '../contract/limits.ts'
import type { Settings } from '../server/platform/settings.ts'
import * as attacks from '../server/testing/attacks.ts'
import type { TestPortal } from '../server/testing/portal-nodes.ts'
import { manySends, openProcess, reachedThrough, type TestProcess } from '../server/testing/processes.ts'

const rounds = Number(process.env['ROUNDS'] ?? 20)
const perNumber = 53

/**
 * Measures the attacks of R16–R28 at their full size, on two processes with one database, by what the database and the messages show after
 * each round.
 */
export const measureAttacks = async (): Promise<Figure[]> => [
  ...(await againstTwoNodes(manySends(perNumber), codesAndPasswords)),
  ...(await againstTwoNodes(manySends(1000), manyOperations)),
  ...(await againstTwoNodes({}, floods)),
]

type Targets = { portal: TestPortal; wide: TestPortal; processes: TestProcess[] }

const againstTwoNodes = (settings: Partial<Settings>, attack: (targets: Targets) => Promise<Figure[]>) =>
  withTestPortal({ settings }, async (portal) => {
    const processes = await Promise.all([openProcess(portal), openProcess(portal)])
    try {
      return await attack({ portal, processes, wide: reachedThrough(portal, processes) })
    } finally {
      await Promise.all(processes.map((node) => node.close()))
    }
  })

/** Repeats an attack, and counts the rounds that did not end as `expected`. */
async function inRounds<T extends object>(
  what: string,
  howMany: number,
  expected: T,
  attack: () => Promise<T>,
): Promise<Figure> {
  const seen: string[] = []
  const started = performance.now()
  for (let i = 0; i < howMany; i++) seen.push(JSON.stringify(await attack()))
  const breaches = seen.filter((outcome) => outcome !== JSON.stringify(expected)).length
  const kinds = [...new Set(seen)].map((kind) => `${seen.filter((outcome) => outcome === kind).length} × ${kind}`)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  return {
    what: `${what}, rounds of ${howMany} that broke`,
    value: breaches,
    limit: atMost(0),
    detail: `${kinds.join(', ')} in ${seconds} s`,
  }
}

async function codesAndPasswords({ wide, processes }: Targets): Promise<Figure[]> {
  return [
    await inRounds('R21 1,000 guesses at one code', rounds, { judged: 5, lateStatus: 422 }, () =>
      attacks.guessAtOnce(wide, 1000),
    ),
    await inRounds('R22 the right code 100 times at once', rounds, { sessions: 1 }, () =>
      attacks.repeatAtOnce(wide, 100),
    ),
    await inRounds('R25 1,000 resends of one sign-in, thrice', rounds, { sent: limits.code.sends }, () =>
      attacks.resendAtOnce(wide, 1000),
    ),
    await inRounds('R25 1,000 resends, 50 sessions, one number', rounds, { sent: 3 }, () =>
      attacks.resendToOneNumber(wide, 1000, 50, perNumber),
    ),
    await inRounds(
      'R16 1,000 wrong passwords and the right one',
      rounds,
      { checked: 5, right: 429, late: 429, limitEvents: 1 },
      () => attacks.tryPasswordsAtOnce(wide, processes, 1000),
    ),
  ]
}

const manyOperations = async ({ wide }: Targets): Promise<Figure[]> => [
  await inRounds('R20 200 operations, 5 guesses each, resends', rounds, { judged: 10, lateStatus: 429 }, () =>
    attacks.guessOverOperations(wide, 200),
  ),
]

async function floods({ portal, wide, processes }: Targets): Promise<Figure[]> {
  const locked = { onUnknown: 'account-blocked', recovered: 200, notices: 1, codesUntouched: true }
  const { judged, slowed, alarmSeconds, lockedOut } = await attacks.spray(wide, 10_000, 50, 10)
  const { accepted, refusedLater, another } = await attacks.killAmongRequests(
    wide,
    processes,
    () => openProcess(portal),
    500,
  )
  try {
    return [
      await inRounds('R17 10,000 bad logins from 500 networks', 1, locked, () =>
        attacks.lockOut(reachedThrough(portal, [processes[1]!, another]), 10_000, 500),
      ),
      {
        what: 'R28 of 10,000 sprayed guesses, judged',
        value: judged,
        limit: atMost(10 * limits.signIn.wrongPerSubnet.limit),
        detail: `${slowed} refused`,
      },
      { what: 'R28 until the alarm', value: alarmSeconds, unit: 's', limit: atMost(60) },
      { what: 'R28 accounts locked out by it', value: lockedOut, limit: atMost(0) },
      {
        what: 'R78 resets accepted, one process killed among 500',
        value: accepted,
        limit: atMost(limits.reset.perAddress.limit),
        detail: `${refusedLater} of 20 refused after it`,
      },
    ]
  } finally {
    await another.close()
  }
}
