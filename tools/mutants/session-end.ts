import type { Mutant } from '../mutants.ts'

export const mutants: Mutant[] = [
  {
    row: 'AUT-5',
    file: 'server/session.ts',
    find: "(rows[0].full ? 'session-full' : 'session-ended')",
    replace: "'session-ended'",
    test: 'server/pages.test.ts',
    title: 'AUT-5 a page asked for with a session that is over says why',
  },
]
