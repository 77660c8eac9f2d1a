import {
  base64URLStringToBuffer,
  bufferToBase64URLString,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
} from '@simplewebauthn/browser'
import type { CreationOptions, NewCredential } from '../../contract/passkeys.ts'
import { bytesOf, joined } from '../../pki/bytes.ts'
import { fromDevice } from '../step-up/passkey-device.ts'

/** Asks the device for a new key. Apart from signing with one, which the login page loads. */
export async function makeKey(options: CreationOptions): Promise<NewCredential> {
  const { id, response } = await fromDevice(() =>
    startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
  )
  const { clientDataJSON, authenticatorData, transports = [] } = response
  const attestationObject = authenticatorData ? withoutStatement(authenticatorData) : response.attestationObject
  return { id, clientDataJSON, attestationObject, transports }
}

/**
 * `{ fmt: 'none', attStmt: {}, authData }` in CBOR (WebAuthn §8.7), which is all that the portal accepts (R263). Some devices send a
 * statement by the new key itself although none is asked for (§5.1.3).
 */
function withoutStatement(authenticatorData: string): string {
  const data = new Uint8Array(base64URLStringToBuffer(authenticatorData))
  const length = Uint8Array.of(data.length >> 8, data.length & 0xff)
  return bufferToBase64URLString(joined([bytesOf('\xa3cfmtdnonegattStmt\xa0hauthDataY'), length, data]).buffer)
}
