import type { Mutant } from '../mutants.ts'

const skew = 'server/clock-skew.test.ts'
const faultyDatabase = 'server/faulty-database.test.ts'
const supply = 'tools/supply.test.ts'

export const mutants: Mutant[] = [
  {
    row: 'R94',
    file: 'server/session.ts',
    find: 'where s.token_hash = ${tokenHash} and s.ends_at > portal_now()',
    replace: 'where s.token_hash = ${tokenHash} and s.ends_at > ${new Date()}',
    test: skew,
    title: 'R94 R6 R7 a session that any node began',
  },
  {
    row: 'R97',
    file: 'server/readiness.ts',
    find: "applied < own.length ? 'migrations' : undefined",
    replace: 'rows[0] && undefined',
    test: 'server/readiness.test.ts',
    title: 'OPS-6 R97 a node whose migrations',
  },
  {
    row: 'R95',
    file: 'server/readiness.ts',
    find: "return stopping ? 'stopping' : seen",
    replace: 'return seen',
    test: 'server/readiness.test.ts',
    title: 'OPS-6 R95 a node that stops',
  },
  {
    row: 'R91',
    file: 'server/readiness.ts',
    find: 'looking ??= lookInTime()',
    replace: 'looking = lookInTime()',
    test: 'server/readiness.test.ts',
    title: 'OPS-6 R91 a database that is away',
  },
  {
    row: 'R91',
    file: 'server/db.ts',
    find: '    query_timeout: patienceMs + 2000,\n',
    replace: '',
    test: faultyDatabase,
    title: 'R91 connections that died without a word cost',
  },
  {
    row: 'R95',
    file: 'server/listen.ts',
    find: 'await Promise.race([client?.end().catch(() => {}), wait(1000)])',
    replace: 'await client?.end().catch(() => wait(1000))',
    test: faultyDatabase,
    title: 'R91 R95 a sender whose database answers nothing',
  },
  {
    row: 'R96',
    file: 'server/ports/documents-s3.ts',
    find: "answer.destroy(new DOMException('too slow', 'TimeoutError'))",
    replace: '{}',
    test: 'server/ports/documents-s3.test.ts',
    title: 'R96 a document that comes byte by byte',
  },
  {
    row: 'R96',
    file: 'server/ports/incoming-files.ts',
    find: "throw code === 'ENOSPC' || code === 'EDQUOT' ? new StorageFull() : error",
    replace: 'throw code === undefined ? new StorageFull() : error',
    test: 'server/documents/full-disk.test.ts',
    title: 'a disk that is full in the middle',
  },
  {
    row: 'R86',
    file: 'server/metrics.ts',
    find: 'const { url: route } = request.routeOptions',
    replace: 'const { url: route } = request',
    test: 'server/metrics.test.ts',
    title: 'OPS-6 R86 whatever is sent',
  },
  {
    row: 'R67',
    file: 'server/traces.ts',
    find: "isOf(trusted, socket.remoteAddress ?? '') ? parentOf(headers['traceparent']) : undefined",
    replace: "parentOf(headers['traceparent'])",
    test: 'server/traces.test.ts',
    title: 'OPS-6 R67 what anybody else says',
  },
  {
    row: 'R89',
    file: 'tools/supply.ts',
    find: '      code = 2\n',
    replace: '',
    test: supply,
    title: 'R89 a check that cannot run',
  },
  {
    row: 'R89',
    file: 'tools/supply.ts',
    find: "throw new Error(audit.message ?? 'npm audit gives no answer')",
    replace: 'return []',
    test: supply,
    title: 'R89 a check that cannot run',
  },
]
