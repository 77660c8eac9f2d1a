import type { Mutant } from '../mutants.ts'

export const mutants: Mutant[] = [
  {
    row: 'R50',
    file: 'server/security-headers.ts',
    find: `"default-src 'none'; frame-ancestors 'none'"`,
    replace: `"frame-ancestors 'none'"`,
    test: 'e2e/document-download.test.ts',
    title: 'R50 DOC-9 the threads that read PDFs',
  },
  {
    row: 'DOC-9',
    file: 'contract/access-code.ts',
    find: `        .replaceAll('O', '0')\n`,
    replace: '',
    test: 'contract/access-code.test.ts',
    title: 'is the code',
  },
]
