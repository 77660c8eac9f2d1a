import { startAuthentication, type PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import type { Assertion, VisitorAssertion, VisitorOptions } from '../../contract/passkey-sign-in.ts'
import type { AssertionOptions } from '../../contract/passkeys.ts'
import { ApiError } from '../calls/api.ts'

/** Asks the device to sign with a key that the customer has. */
export async function signWithKey(options: AssertionOptions): Promise<Assertion> {
  const { id, response } = await runDeviceRequest(() =>
    startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }),
  )
  const { clientDataJSON, authenticatorData, signature } = response
  return { id, clientDataJSON, authenticatorData, signature }
}

/** Asks the device to sign with any key that the visitor has here; the key names its account (R121). */
export async function signWithAnyKey(options: VisitorOptions, useBrowserAutofill: boolean): Promise<VisitorAssertion> {
  const { id, response } = await runDeviceRequest(() =>
    startAuthentication({ optionsJSON: options, useBrowserAutofill }),
  )
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  // A key that does not name its account can only be a second factor.
  if (!userHandle) throw new ApiError('passkey-refused')
  return { id, clientDataJSON, authenticatorData, signature, userHandle }
}

/**
 * Runs a request to the device, and converts its error. Browsers do not report why no key was used, so that no page can find out which ones
 * exist (WebAuthn §14.5.1).
 */
export async function runDeviceRequest<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    throw new ApiError(
      error instanceof Error && error.name === 'InvalidStateError' ? 'passkey-known' : 'passkey-unused',
    )
  }
}
