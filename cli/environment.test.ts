import { userInfo } from 'node:os'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFolder } from '../pki/testing/peer-programs.ts'
import { operatorLogin } from './environment.ts'

test('OPS-20 entries name who has logged in, or in a container whom the environment states', () => {
  const folder = testFolder()
  /** With what the kernel says: the number of a user, all bits for none, or nothing where it has no such file. */
  const login = (user: number | undefined, environment: { SUDO_USER?: string; SYGNET_OPERATOR?: string } = {}) => {
    const file = join(folder, String(user))
    if (user !== undefined) writeFileSync(file, `${user}`)
    return operatorLogin(environment, file)
  }
  const [none, unknown] = [2 ** 32 - 1, 4_000_000_000]
  const stated = { SYGNET_OPERATOR: 'jan' }
  expect(login(0, { SUDO_USER: 'anna', ...stated })).toBe('root')
  for (const user of [none, undefined, unknown]) {
    expect(login(user, { SUDO_USER: 'anna', ...stated })).toBe('anna')
    expect(login(user, stated)).toBe('jan')
    expect(login(user, { SYGNET_OPERATOR: 'j'.repeat(65) })).toBe('j'.repeat(64))
  }
  expect(login(unknown)).toBe(`uid ${unknown}`)
  expect(login(none, { SYGNET_OPERATOR: '' })).toBe(userInfo().username)
})
