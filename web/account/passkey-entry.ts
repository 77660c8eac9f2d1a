import type { Session } from '../../contract/account.ts'
import { enterPasskeySignIn, startPasskeySignIn } from '../../contract/passkey-sign-in.ts'
import { call } from '../api.ts'
import { signWithAnyKey } from '../ui/passkey-device.ts'

/** Asks the device for any passkey of the visitor's, and signs in with it. `autofill`: among what the browser offers for the login. */
export async function enterByPasskey(how: 'button' | 'autofill'): Promise<Session> {
  const options = await call(startPasskeySignIn)
  return call(enterPasskeySignIn, { body: await signWithAnyKey(options, how === 'autofill') })
}
