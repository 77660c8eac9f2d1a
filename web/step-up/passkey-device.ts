import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { VisitorAssertion, VisitorOptions } from '../../contract/passkey-sign-in.ts'
import type { Assertion, AssertionOptions, CreationOptions, NewCredential } from '../../contract/passkeys.ts'
import { CallFailed } from '../api.ts'

/** Keys belong to names: a page at a bare address has none (WebAuthn §5.1.2), the demonstration's own for one. */
export const atBareAddress = () => /^(?:[\d.]+|\[.*\])$/.test(location.hostname)

export const canUsePasskeys = () => browserSupportsWebAuthn() && !atBareAddress()

/** Asks the device for a new key. */
export async function makeKey(options: CreationOptions): Promise<NewCredential> {
  const { id, response } = await ofDevice(() =>
    startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
  )
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, clientDataJSON, attestationObject, transports }
}

/** Asks the device to sign with a key that the customer has. */
export async function signWithKey(options: AssertionOptions): Promise<Assertion> {
  const { id, response } = await ofDevice(() =>
    startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }),
  )
  const { clientDataJSON, authenticatorData, signature } = response
  return { id, clientDataJSON, authenticatorData, signature }
}

/** The same with whichever key the visitor has here, which names its account (R121). */
export async function signWithAnyKey(options: VisitorOptions, useBrowserAutofill: boolean): Promise<VisitorAssertion> {
  const { id, response } = await ofDevice(() =>
    startAuthentication({
      optionsJSON: options,
      useBrowserAutofill,
    }),
  )
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  // A key that does not name its account can only be a second factor.
  if (!userHandle) throw new CallFailed('passkey-refused')
  return { id, clientDataJSON, authenticatorData, signature, userHandle }
}

/** Browsers do not tell why no key was used, so that no page learns which ones there are (WebAuthn §14.5.1). */
async function ofDevice<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw new CallFailed(
      error instanceof Error && error.name === 'InvalidStateError' ? 'passkey-known' : 'passkey-unused',
    )
  }
}
