import { enterPasskeySignIn, startPasskeySignIn } from '../../contract/passkey-sign-in.ts'
import type { Session } from '../../contract/session.ts'
import { call } from '../calls/api.ts'
import { signWithAnyKey } from '../step-up/passkey-device.ts'

/**
 * Asks the device for any passkey of the visitor's, and signs in with it. `autofill`: as a suggestion of the browser
 * for the login field.
 */
export async function enterByPasskey(how: 'button' | 'autofill'): Promise<Session> {
  const options = await call(startPasskeySignIn)
  return call(enterPasskeySignIn, { body: await signWithAnyKey(options, how === 'autofill') })
}
