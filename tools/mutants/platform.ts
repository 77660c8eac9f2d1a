import type { Mutant } from '../mutants.ts'

const passwordHash = 'server/password-hash.test.ts'
const configuration = 'server/configuration.test.ts'

export const mutants: Mutant[] = [
  {
    row: 'R114',
    file: 'server/db.ts',
    find: 'if (this.#scopes.getStore()?.isOver === false)',
    replace: 'if (false)',
    test: 'server/db.test.ts',
    title: 'R114 inside a transaction nothing reaches',
  },
  {
    row: 'R114',
    file: 'server/data-export/data-export.ts',
    find: '(await stateOf(accountId, tx)).state',
    replace: '(await stateOf(accountId)).state',
    test: 'server/data-export/data-export.test.ts',
    title: 'R114 orders of one customer',
  },
  {
    row: 'R122',
    file: 'server/configuration.ts',
    find: '  tellRealDemonstration(values, sources, mistakes)\n\n',
    replace: '',
    test: configuration,
    title: 'R122 a demonstration with PUBLIC_URL',
  },
  {
    row: 'R122',
    file: 'server/pages.ts',
    find: 'demonstration ? withDemonstrationBanner(html, locale) : html',
    replace: 'html',
    test: 'server/pages.test.ts',
    title: 'R122 every page of a demonstration',
  },
  {
    row: 'R124',
    file: 'server/password-pepper.ts',
    find: "createHmac('sha256', key).update(encoded).digest('base64')",
    replace: 'parts.exec(encoded)![7]!',
    test: passwordHash,
    title: 'R124 without the pepper',
  },
  {
    row: 'R124',
    file: 'server/password-pepper.ts',
    find: '    if (await nodesWithoutPepper(db)) return\n',
    replace: '',
    test: passwordHash,
    title: 'R124 R97 hashes get the pepper',
  },
  {
    row: 'R123',
    file: 'server/migrate.ts',
    find: 'revoke insert, update, delete on secrets, provider_keys from',
    replace: 'revoke insert, delete on secrets from',
    test: 'server/database-rights.test.ts',
    title: 'R123 the embedded database has',
  },
  {
    row: 'R123',
    file: 'server/main.ts',
    find: 'if (await canLeaveRole(db))',
    replace: 'if (false)',
    test: 'server/database-rights.test.ts',
    title: 'OPS-3 R73 a login that may make roles',
  },
  {
    row: 'R125',
    file: 'server/housekeeping.ts',
    find: 'const signEvery = 60_000',
    replace: 'const signEvery = 3_600_000',
    test: 'server/audit-head.test.ts',
    title: 'OPS-5 R125 the newest records',
  },
  {
    row: 'R125',
    file: 'server/audit-head.ts',
    find: " and act <> 'audit-head-signed'",
    replace: '',
    test: 'server/audit-head.test.ts',
    title: 'OPS-5 R84 R125 a node signs a head',
  },
]
