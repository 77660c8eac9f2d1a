import type { Mutant } from '../mutants.ts'

const rest = 'server/sealed-at-rest.test.ts'
const nothingFound = 'R83 no number, phone or document is found'

export const mutants: Mutant[] = [
  {
    row: 'R83',
    file: 'server/sealed-fields.ts',
    find: "mac(keys.index, 'identifier', value).subarray(0, 16)",
    replace: 'Buffer.from(`${value}${keys.index.length}`)',
    test: rest,
    title: nothingFound,
  },
  {
    row: 'R83',
    file: 'server/sealed-documents.ts',
    find: 'const key = randomBytes(32)',
    replace: 'const key = randomBytes(32).fill(7)',
    test: 'server/sealed-documents.test.ts',
    title: 'R83 each document has a key of its own',
  },
  {
    row: 'R76',
    file: 'server/log.ts',
    find: 'filter(([name]) => logFields.includes(name))',
    replace: 'filter(([name]) => name)',
    test: 'server/log.test.ts',
    title: 'R76 R86 an error’s words, an unknown field',
  },
]
