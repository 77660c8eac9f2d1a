import { generateKeyPairSync, sign } from 'node:crypto'
import {
  CRLDistributionPoints,
  DistributionPoint,
  DistributionPointName,
  GeneralName,
  id_ce_cRLDistributionPoints,
} from '@peculiar/asn1-x509'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { expect, test } from 'vitest'
import * as passkeys from '../../contract/passkeys.ts'
import { extension, writeCertificate } from '../../pki/asn1/certificate-write.ts'
import { writeName } from '../../pki/asn1/certificate.ts'
import { derValue } from '../../pki/asn1/der.ts'
import { listenOnLoopback } from '../adapters/loopback/loopback-server.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openDevice, type Made } from '../testing/authenticators.ts'
import { openPortal } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { stepUp } from '../testing/test-customers.ts'

const portal = await openPortal()

const idKeyDescription = '1.3.6.1.4.1.11129.2.1.17'

/** Returns a key description with the challenge and nothing else (Android Keystore, schema of version 3). */
const keyDescription = (challenge: Uint8Array) => {
  const version = [derValue(0x02, Uint8Array.of(3)), derValue(0x0a, Uint8Array.of(1))]
  return derValue(
    0x30,
    ...version,
    ...version,
    derValue(0x04, challenge),
    derValue(0x04),
    derValue(0x30),
    derValue(0x30),
  )
}

/** Returns a statement with the fields of every format: about the new key, under an attacker's root, with certificates that name `url`. */
function statementOf({ publicKey, privateKey, authData, clientDataHash }: Made, url: string) {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const listAt = new CRLDistributionPoints([
    new DistributionPoint({
      distributionPoint: new DistributionPointName({ fullName: [new GeneralName({ uniformResourceIdentifier: url })] }),
    }),
  ])
  const certificate = (subject: string, key: typeof publicKey) =>
    writeCertificate(
      {
        serialNumber: Uint8Array.of(subject.length),
        issuer: writeName([{ name: 'CN', value: 'Root' }]),
        subject: writeName([{ name: 'CN', value: subject }]),
        notBefore: new Date(Date.now() - 86_400_000),
        notAfter: new Date(Date.now() + 86_400_000),
        publicKey: key,
        extensions: [
          extension(id_ce_cRLDistributionPoints, listAt),
          extension(idKeyDescription, keyDescription(clientDataHash)),
        ],
      },
      root.privateKey,
    )
  return new Map<string, number | Uint8Array | Uint8Array[]>([
    ['alg', -7],
    ['sig', new Uint8Array(sign('sha256', Buffer.concat([authData, clientDataHash]), privateKey))],
    ['x5c', [certificate('attest.android.com', publicKey), certificate('Root', root.publicKey)]],
  ])
}

/** Offers a key whose device makes this statement and no other; returns the answer. */
async function offer(attest: (made: Made) => { fmt: string; attStmt: ReturnType<typeof statementOf> }) {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  await stepUp(portal, browser, person, 'add-passkey')
  const { body: options } = await browser.call(passkeys.startPasskey)
  const credential = openDevice().create(options, {
    attest: (made) => {
      const { fmt, attStmt } = attest(made)
      return isoCBOR.encode(
        new Map<string, string | Uint8Array | typeof attStmt>([
          ['fmt', fmt],
          ['attStmt', attStmt],
          ['authData', new Uint8Array(made.authData)],
        ]),
      )
    },
  })
  const answer = await browser.call(passkeys.addPasskey, { body: { name: 'Telefon', credential } })
  return { answer, person }
}

test('R263 AUT-8 a passkey with no attestation is accepted', async () => {
  const { answer } = await offer(() => ({ fmt: 'none', attStmt: new Map() }))
  expect(answer.status).toBe(200)
})

test.each(['none', 'packed', 'tpm', 'apple', 'android-key', 'android-safetynet', 'fido-u2f', 'compound', 'Packed', ''])(
  'R263 an attestation of the format “%s” is refused, and nobody calls what its certificates name',
  async (fmt) => {
    await using trap = await listenOnLoopback((_, response) => response.end('caught'))
    const { answer, person } = await offer((made) => ({ fmt, attStmt: statementOf(made, `${trap.url}/list.crl`) }))
    expect(answer).toMatchObject({ status: 422, problem: { code: 'passkey-refused' } })
    expect(trap.connections()).toBe(0)
    expect(await auditEntries(portal, { login: person.login, action: 'passkey-added' })).toEqual([])
  },
)

test('R263 the statement of the new key itself is refused too, though its signature is right', async () => {
  const { answer } = await offer((made) => {
    const attStmt = statementOf(made, 'http://127.0.0.1/')
    attStmt.delete('x5c')
    return { fmt: 'packed', attStmt }
  })
  expect(answer.status).toBe(422)
})
