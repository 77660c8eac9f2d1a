import type { Mutant } from '../mutants.ts'

const imports = 'server/provider-api/customer-import.test.ts'

export const mutants: Mutant[] = [
  {
    row: 'R19',
    file: 'server/provider-api/customer-import.ts',
    find: 'if (!waiting.length || waiting.length === batch.length) return puts',
    replace: 'if (waiting.length >= 0) return puts',
    test: imports,
    title: 'a name belongs to one customer',
  },
]
