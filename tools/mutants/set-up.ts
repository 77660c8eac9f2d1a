import type { Mutant } from '../mutants.ts'

export const mutants: Mutant[] = [
  {
    row: 'PWD-2',
    file: 'server/account/invited-queries.ts',
    find: "and status = 'good' and valid_to > portal_now()",
    replace: '',
    test: 'server/account/set-up.test.ts',
    title: 'PWD-2 signatures that are over',
  },
  {
    row: 'VAL-4',
    file: 'contract/identifier-numbers.ts',
    find: 'return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined',
    replace: 'return date.toISOString().slice(0, 10)',
    test: 'contract/identifier-numbers.test.ts',
    title: 'VAL-4 a PESEL of a day',
  },
  {
    row: 'VAL-4',
    file: 'contract/personal-data.ts',
    find: "    z.refine(birthDateFits, wrong('birthDate')),\n",
    replace: '',
    test: 'server/provider-api/provider-identification.test.ts',
    title: 'VAL-3 VAL-4 OPS-4 a number that cannot be',
  },
]
