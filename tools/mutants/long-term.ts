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
    file: 'pki/revocation-status.ts',
    find: ' &&\n      mayStillAnswer(one, issuer, producedAt, crls))',
    replace: ')',
    test: statuses,
    title: 'an appointed responder that was revoked',
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
    row: 'R104',
    file: 'server/ports/outgoing.ts',
    find: 'const demand = isForeign ? demandPublic : demandAllowed',
    replace: 'const demand = demandAllowed',
    test: asking,
    title: 'is called only if the operator lists it',
  },
  {
    row: 'R104',
    file: 'server/ports/outgoing.ts',
    find: '[loopback, nowhere, privateNetworks, translatedPrivate]',
    replace: '[loopback, nowhere]',
    test: 'server/ports/outgoing.test.ts',
    title: 'leads to 10.0.0.5',
  },
  {
    row: 'R104',
    file: 'server/ports/revocation-http.ts',
    find: 'if (!der || !counts({ kind, der })) continue',
    replace: 'if (!der) continue',
    test: asking,
    title: 'without an answer that counts the revocation list is fetched',
  },
  {
    row: 'R104',
    file: 'server/ports/revocation-http.ts',
    find: "return findPath(target, { pool, anchors: everywhere, purpose: 'signatures', at }).path",
    replace: 'return at && everywhere && findPath && [target, ...pool]',
    test: asking,
    title: 'nobody is called whom a stranger’s certificate names',
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
