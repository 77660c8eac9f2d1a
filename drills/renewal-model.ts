import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import type { ModelRun } from '../server/testing/renewals/renewal-walk.ts'
import { atLeast, type Figure, progress } from '../bench/figures.ts'
import type { Lane, Portion } from './renewal-lane.ts'
import { withTestPostgres } from '../bench/testing/postgres.ts'

const steps = Number(process.env['STEPS'] ?? 100_000)
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)

/** Enough to reach every end, and few enough to repeat with the seed of a portion that left the model. */
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
      const message = (await Promise.race([once(child, 'message'), gone])) as [ModelRun] | undefined
      if (!message) throw new Error(`The walk of seed ${next} left the model; see above.`)
      const [run] = message
      for (const name of ['steps', 'renewals', 'pairs', 'refused'] as const) all[name] += run[name]
      for (const [end, count] of Object.entries(run.ends)) all.ends[end] = (all.ends[end] ?? 0) + count
      progress(`${all.steps} steps`)
    }
    child.disconnect()
    await gone
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), waiting.length) }, lane))
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
        limit: atLeast(steps),
        detail: `seed ${seed}, ${run.renewals} renewals, ${run.pairs} pairs at once, ${run.refused} refused, ${ends.join(', ')}`,
      },
      { what: 'renewal: the whole', value: (performance.now() - started) / 60_000, unit: 'min' },
    ]
  })
