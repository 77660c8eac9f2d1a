import type { Mutant } from '../mutants.ts'

const statuses = 'pki/revocation-status.test.ts'
const asking = 'server/ports/revocation-http.test.ts'
const archives = 'server/archives.test.ts'
const kinds = 'server/long-term.test.ts'

export const mutants: Mutant[] = [
  {
    row: 'R104',
    file: 'pki/revocation-status.ts',
    find: 'if (scope.distributionPoint && !isItsPoint(scope.distributionPoint, certificate)) return false',
    replace: 'void isItsPoint',
    test: statuses,
    title: 'a list of another partition',
  },
  {
    row: 'R104',
    file: 'server/ports/verification-built-in.ts',
    find: "if (!revocation || !unproven.length || !first.readable || first.report.verdict === 'refused') return first",
    replace: 'return first',
    test: asking,
    title: 'an answer of "good" accepts the upload',
  },
  {
    row: 'R105',
    file: 'server/long-term.ts',
    find: 'if (!isComplete) return undefined',
    replace: 'void isComplete',
    test: archives,
    title: 'R105 without revocation data the agreement is stored',
  },
  {
    row: 'R105',
    file: 'server/documents/signing-in-place.ts',
    find: 'fits ? lasting : signed',
    replace: 'signed',
    test: kinds,
    title: 'asked over HTTP',
  },
  {
    row: 'R106',
    file: 'server/archives.ts',
    find: 'and (archive_next_try is null or archive_next_try <= portal_now())',
    replace: 'and true',
    test: archives,
    title: 'a node that dies between storing',
  },
  {
    row: 'R106',
    file: 'server/archives.ts',
    find: 'if (abandoned) await ports.documents.remove(abandoned)',
    replace: 'void abandoned',
    test: archives,
    title: 'a node that dies between storing',
  },
]
