import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getActivation } from '../../contract/provider/provider-activations.ts'
import { confirmPairing, startPairing } from '../../contract/signatures.ts'
import { fromBase32, totp } from '../../pki/totp.ts'
import { activationBackOffice } from '../../provider/back-office/activation-back-office.ts'
import { portalClient } from '../../provider/portal-client.ts'
import { openAppActivations } from '../../provider/signing-service/app-activations.ts'
import { openSigningKeys } from '../../provider/signing-service/signing-keys.ts'
import { appActivationOf } from '../adapters/choose-adapters.ts'
import { shownSecret } from '../testing/samples/activation-samples.ts'
import { openBrowser } from '../testing/browser.ts'
import { now } from '../testing/portal-nodes.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { insertStepUp } from '../testing/samples/sample-seals.ts'
import { openPortalWithProvider, folderOfFile } from '../testing/open-portal.ts'

const directory = folderOfFile()
const activations = await openAppActivations({ directory, baseUrl: 'http://127.0.0.1/app', now: () => new Date() })
const appActivation = appActivationOf(
  { appActivation: { by: 'portal', key: undefined } },
  { service: { url: '', token: '' }, key: activations.publicKey },
  () => {},
)
const { portal, provider } = await openPortalWithProvider({ ports: { appActivation } })

test('APP-4 the embedded provider fetches the secret of a paired app, decrypts it for its signing service, and deletes it in the portal', async () => {
  const folder = join(directory, 'keys')
  const signingKeys = await openSigningKeys(folder)
  const client = portalClient({ url: portal.origin, clientKey: portal.clientKey })
  const backOffice = activationBackOffice({ portal: client, activations, signingKeys })
  const person = await addCustomer(portal)
  const { id, providerId: signature } = await provider.give(person)
  await signingKeys.make(signature, person.id, { type: 'P-256', otp: 'generated', pin: true }, { pin: '1234' })
  const browser = await signInDirectly(portal, person)
  await insertStepUp(portal, person, 'pair-app', id)
  const { key } = shownSecret((await browser.call(startPairing, { params: { id } })).body)
  await backOffice.work()
  expect(signingKeys.factors(signature)).toEqual({ pin: '1234' })
  const code = totp(fromBase32(key)!, await now(portal.db))
  await browser.call(confirmPairing, { params: { id }, body: { code } })
  await backOffice.work()

  const { body } = await openBrowser(portal).call(getActivation, { params: { signature } })
  expect(body).toMatchObject({ secret: null, pairedAt: expect.any(String) as string })
  const otpSecret = Buffer.from(fromBase32(key)!).toString('base64')
  expect((await openSigningKeys(folder)).factors(signature)).toEqual({ pin: '1234', otpSecret })
})
