import type { Mutant } from '../mutants.ts'

export const mutants: Mutant[] = [
  {
    row: 'R88',
    file: 'tools/setup.mjs',
    find: "    '--ignore-scripts',\n",
    replace: '',
    test: 'tools/setup.test.ts',
    title: 'R88 no package runs its install script',
  },
  {
    row: 'R88',
    file: 'tools/lockfile.ts',
    find: ' || lock.packages[path]?.integrity !== hash',
    replace: '',
    test: 'tools/lockfile.test.ts',
    title: 'a changed hash',
  },
  {
    row: 'R70',
    file: 'tools/regex-rules.ts',
    find: "if (result.status === 'safe') return 'safe'",
    replace: "if (result.status === 'safe' || result.complexity?.type === 'polynomial') return 'safe'",
    test: 'boundaries.test.ts',
    title: 'R70 polynomial',
  },
  {
    row: 'R73',
    file: 'tools/sql-rules.ts',
    find: "const rawTags = new Set(['raw', 'lit'])",
    replace: 'const rawTags = new Set([])',
    test: 'boundaries.test.ts',
    title: 'R73 raw SQL is refused',
  },
]
