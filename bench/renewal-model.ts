import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRenewalKilling, renewalKillPoints } from '../server/testing/renewal-kills.ts'
import type { ModelRun } from '../server/testing/renewal-walk.ts'
import { openRenewalHouse } from '../server/testing/sample-renewals.ts'
import type { Figure } from './figures.ts'
import type { Lane, Portion } from './renewal-lane.ts'
import { withTestPostgres } from './testing/postgres.ts'

const steps = Number(process.env['STEPS'] ?? 100_000)
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
const killsAtEach = Number(process.env['KILLS'] ?? 10)

/** Enough to come to every end, and few enough to be walked again with the seed of one that left the model. */
const portion = 2500

/** One lane for each processor, each over two nodes and a database of its own; together they walk all portions. */
async function walkInLanes(postgres: string): Promise<ModelRun> {
  const waiting = Array.from({ length: Math.ceil(steps / portion) }, (_, number) => seed + number)
  const all: ModelRun = { steps: 0, renewals: 0, pairs: 0, refused: 0, ends: {} }
  async function lane() {
    const child = fork(new URL('./renewal-lane.ts', import.meta.url), { execArgv: [] })
    child.send({ postgres } satisfies Lane)
    const gone = once(child, 'exit').then(() => undefined)
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      child.send({ steps: Math.min(portion, steps), seed: next } satisfies Portion)
      const answer = (await Promise.race([once(child, 'message'), gone])) as [ModelRun] | undefined
      if (!answer) throw new Error(`The walk of seed ${next} left the model; see above.`)
      const [run] = answer
      for (const name of ['steps', 'renewals', 'pairs', 'refused'] as const) all[name] += run[name]
      for (const [end, count] of Object.entries(run.ends)) all.ends[end] = (all.ends[end] ?? 0) + count
      process.stderr.write(`  ${all.steps} steps\n`)
    }
    child.disconnect()
    await gone
  }
  await Promise.all(Array.from({ length: availableParallelism() }, lane))
  return all
}

/** Random calls of two tabs over two nodes against the plain model of a renewal (R56); the first difference ends it. */
export const measureRenewalModel = (): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const started = performance.now()
    const run = await walkInLanes(postgres)
    const ends = Object.entries(run.ends).map(([state, count]) => `${count} ${state}`)
    return [
      {
        what: 'renewal: steps without a difference from the model',
        value: run.steps,
        unit: 'steps',
        limit: { at: 'least', value: steps },
        detail: `seed ${seed}, ${run.renewals} renewals, ${run.pairs} pairs at once, ${run.refused} refused, ${ends.join(', ')}`,
      },
      { what: 'renewal: the whole', value: (performance.now() - started) / 60_000, unit: 'min' },
    ]
  })

/** The walks in which a process is killed in the middle of an act (REN-10): two sides at once. */
export const measureRenewalKills = (): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const waiting = Array.from({ length: killsAtEach }, () => renewalKillPoints).flat()
    const folder = mkdtempSync(join(tmpdir(), 'sygnet-bench-renewals-'))
    let kills = 0
    const open = async (number: number) => {
      const documents = join(folder, String(number))
      const house = await openRenewalHouse({ sharedKey: true, tells: true, postgres, documents })
      return { house, killing: await openRenewalKilling(house, documents, seed + number) }
    }
    const side = async ({ house, killing }: Awaited<ReturnType<typeof open>>) => {
      try {
        for (let point = waiting.pop(); point; point = waiting.pop()) {
          await killing.kill(point)
          if (++kills % 10 === 0) process.stderr.write(`  ${kills} killed\n`)
        }
        return killing.steps()
      } finally {
        await killing.close()
        await house.close()
      }
    }
    try {
      // One after the other: drawing keys holds up everything else of this process.
      const [one, other] = [await open(0), await open(1)]
      const sides = await Promise.all([side(one), side(other)])
      return [
        {
          what: `renewal: killed at ${renewalKillPoints.length} points, without a difference, a second order or a lost agreement`,
          value: kills,
          unit: 'kills',
          limit: { at: 'least', value: killsAtEach * renewalKillPoints.length },
          detail: `seed ${seed}, ${sides[0] + sides[1]} steps around them`,
        },
      ]
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
