import type { Mutant } from '../mutants.ts'

export const mutants: Mutant[] = [
  {
    row: 'PWD-6',
    file: 'server/account/guessable-password.ts',
    find: 'const read = readings.map((reading) => reading(text))',
    replace: 'const read = [text]',
    test: 'server/account/guessable-password.test.ts',
    title: 'PWD-6 R13 leaked passwords are refused with digits',
  },
  {
    row: 'PWD-6',
    file: 'server/account/passwords.ts',
    find: 'if (isGuessable(password, account, settings.brand.product))',
    replace: "if (isGuessable(password, { login: '', email: '', firstName: '', surname: '' }, settings.brand.product))",
    test: 'server/account/passwords.test.ts',
    title: 'PWD-6 R13 a password from the list',
  },
  {
    row: 'R17',
    file: 'server/block-notice.ts',
    find: '  if (!(await spend(tx, keys, notices, id, reason)).ok) return\n',
    replace: '',
    test: 'server/account/lock-out.test.ts',
    title: 'AUT-4 R17 an owner is told of the block once a day',
  },
  {
    row: 'AUT-4',
    file: 'server/account-block.ts',
    find: '  await clear(tx, keys, dayOfWrong(accountId))\n',
    replace: '',
    test: 'cli/sygnet.test.ts',
    title: 'AUT-4 OPS-5 the operator opens',
  },
]
