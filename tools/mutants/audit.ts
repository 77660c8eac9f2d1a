import type { Mutant } from '../mutants.ts'

export const mutants: Mutant[] = [
  {
    row: 'R84',
    file: 'server/audit-chain.ts',
    find: "jsonb_build_array(chain, seq, id, at at time zone 'UTC', act, account_id, actor, address, details)",
    replace: 'jsonb_build_array(chain, seq, id, act, account_id, actor, details)',
    test: 'server/audit.test.ts',
    title: 'a change of one record is found and named alone',
  },
  {
    row: 'R84',
    file: 'server/audit-head.ts',
    find: 'if (before) await demandContinued(tx, before)',
    replace: '',
    test: 'server/audit-head.test.ts',
    title: 'a trail whose end was cut off gets no new head',
  },
  {
    row: 'R85',
    file: 'server/db.ts',
    find: "word === 'commit' ? this.#links.last : this.#links.before",
    replace: 'this.#links.last',
    test: 'server/audit.test.ts',
    title: 'acts that fail and killed connections leave no gap',
  },
]
