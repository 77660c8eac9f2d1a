import type { Mutant } from '../mutants.ts'

export const mutants: Mutant[] = [
  {
    row: 'DOC-9',
    file: 'contract/access-code.ts',
    find: `        .replaceAll('O', '0')\n`,
    replace: '',
    test: 'contract/access-code.test.ts',
    title: 'is the code',
  },
]
