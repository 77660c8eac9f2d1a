import { startRegistration, type PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import type { CreationOptions, NewCredential } from '../../contract/passkeys.ts'
import { fromDevice } from '../step-up/passkey-device.ts'

/** Asks the device for a new key. Apart from signing with one, which the login page loads. */
export async function makeKey(options: CreationOptions): Promise<NewCredential> {
  const { id, response } = await fromDevice(() =>
    startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
  )
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, clientDataJSON, attestationObject, transports }
}
