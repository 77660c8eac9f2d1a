import { openRenewalHouse } from '../server/test-renewals.ts'
import { runRenewalModel } from '../server/test-renewal-walk.ts'
import type { Figure } from './figures.ts'
import { withTestPostgres } from './test-postgres.ts'

const steps = Number(process.env['STEPS'] ?? 100_000)
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)

/** Random calls of two tabs over two nodes against the plain model of a renewal (R56); the first difference ends it. */
export const measureRenewalModel = (): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const house = await openRenewalHouse({ sharedKey: true, postgres })
    try {
      const started = performance.now()
      const run = await runRenewalModel(house, { steps, seed })
      const ends = Object.entries(run.ends).map(([state, count]) => `${count} ${state}`)
      return [
        {
          what: 'renewal: steps without a difference from the model',
          value: run.steps,
          unit: 'steps',
          limit: { at: 'least', value: steps },
          detail: `seed ${seed}, ${run.renewals} renewals, ${run.pairs} pairs at once, ${run.refused} refused, ${ends.join(', ')}`,
        },
        { what: 'renewal: one step', value: (performance.now() - started) / run.steps, unit: 'ms' },
      ]
    } finally {
      await house.close()
    }
  })
