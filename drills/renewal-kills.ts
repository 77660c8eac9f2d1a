import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atLeast, progress, type Figure } from '../bench/figures.ts'
import { withTestPostgres } from '../bench/testing/postgres.ts'
import { openRenewalKillTest, renewalKillPoints } from '../server/testing/renewals/renewal-kills.ts'
import { openRenewalPortal } from '../server/testing/samples/sample-renewals.ts'

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
const killsAtEach = Number(process.env['KILLS'] ?? 10)

/** The walks in which a process is killed in the middle of an action (REN-10), in two portals at once. */
export const measureRenewalKills = (): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const waiting = Array.from({ length: killsAtEach }, () => renewalKillPoints).flat()
    const folder = mkdtempSync(join(tmpdir(), 'sygnet-bench-renewals-'))
    let kills = 0
    const open = async (number: number) => {
      const documents = join(folder, String(number))
      const renewalPortal = await openRenewalPortal({ sharedKey: true, logsErrors: true, postgres, documents })
      return { renewalPortal, killing: await openRenewalKillTest(renewalPortal, documents, seed + number) }
    }
    const side = async ({ renewalPortal, killing }: Awaited<ReturnType<typeof open>>) => {
      try {
        for (let point = waiting.pop(); point; point = waiting.pop()) {
          await killing.kill(point)
          if (++kills % 10 === 0) progress(`${kills} killed`)
        }
        return killing.steps()
      } finally {
        await killing.close()
        await renewalPortal.close()
      }
    }
    try {
      // One after the other, because generating keys blocks this process.
      const [first, second] = [await open(0), await open(1)]
      const sides = await Promise.all([side(first), side(second)])
      return [
        {
          what: `renewal: killed at ${renewalKillPoints.length} points, without a difference, a second order or a lost agreement`,
          value: kills,
          unit: 'kills',
          limit: atLeast(killsAtEach * renewalKillPoints.length),
          detail: `seed ${seed}, ${sides[0] + sides[1]} steps around them`,
        },
      ]
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
