import type { Mutant } from '../mutants.ts'

export const mutants: Mutant[] = [
  {
    row: 'R82',
    file: 'server/weak-secret.ts',
    find: 'if (new Set(rest).size < 5) return',
    replace: "if (secret === 'changeme') return",
    test: 'server/configuration.test.ts',
    title: 'a secret that is short, a default or an example',
  },
  {
    row: 'R64',
    file: 'server/brand-file.ts',
    find: 'if (is.test(drawing)) faults',
    replace: "if (is.test(drawing) && drawing.includes('<script')) faults",
    test: 'server/configuration.test.ts',
    title: 'a mark that is more than a drawing',
  },
  {
    row: 'R64',
    file: 'server/pages.ts',
    find: '...(look ? [hashOf(look)] : [])',
    replace: '...(look ? ["unsafe-inline"] : [])',
    test: 'server/pages.test.ts',
    title: 'own look comes as one more sheet',
  },
  {
    row: 'ERR-5',
    file: 'server/guards.ts',
    find: 'if (endpoint && isOff(',
    replace: "if (endpoint && request.method === 'GET' && isOff(",
    test: 'server/features.test.ts',
    title: 'each of its calls says so to anyone',
  },
  {
    row: 'ERR-5',
    file: 'server/ports/circuit.ts',
    find: 'if (open && (trying || now() < closedFrom))',
    replace: 'if (open && now() < closedFrom)',
    test: 'server/ports/circuit.test.ts',
    title: 'after the pause one call tries anew',
  },
]
