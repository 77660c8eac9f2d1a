import { hash, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { derToPem, readCertificate } from '../../pki/asn1/certificate.ts'
import { fileFolder, has, run, testFolder } from '../../pki/testing/peer-programs.ts'
import { exhaustive } from '../../server/testing/breadth.ts'
import { openTestAuthority } from '../testing/test-authority.ts'
import { AuthorityError, openAuthority, type Authority } from './authority.ts'
import type { CertificateOrder, OrganisationSubject, PersonSubject } from './subscriber.ts'

const now = new Date('2026-11-21T10:00:00Z')
const baseUrl = 'http://pki.example/pki'
const day = 24 * 60 * 60 * 1000
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const person: PersonSubject = {
  kind: 'person',
  givenName: 'Małgorzata',
  surname: 'Żółć-Świętochłowska',
  serialNumber: 'PNOPL-44051401458',
  country: 'PL',
  organisation: {
    name: 'Zakłady „Ość” & Synowie <s.a.>',
    identifier: 'VATPL-1234563218',
    unit: 'Kadry',
    position: 'Kierowniczka',
  },
}

const firm: OrganisationSubject = {
  kind: 'organisation',
  name: 'Zażółć Sp. z o.o.',
  commonName: 'Pieczęć działu umów',
  identifier: 'VATPL-1234563218',
  country: 'PL',
}

const order = (changes: Partial<CertificateOrder> = {}): CertificateOrder => ({
  subject: person,
  publicKey,
  notBefore: now,
  notAfter: new Date(now.getTime() + 730 * day),
  device: true,
  ...changes,
})

/** Keys are made once; each test uses a copy. */
const keys = fileFolder()
beforeAll(() => openAuthority({ directory: keys, baseUrl, now: () => now }))

function copyOfKeys() {
  const folder = testFolder()
  cpSync(keys, folder, { recursive: true })
  return folder
}

const open = (directory = copyOfKeys(), clock = () => now) => openAuthority({ directory, baseUrl, now: clock })

function pemList(der: Uint8Array) {
  const lines = Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN X509 CRL-----\n${lines}\n-----END X509 CRL-----\n`
}

/** Writes the chain and the lists as files for openssl. */
async function filesFor(authority: Authority) {
  const folder = testFolder()
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const lists = await Promise.all([authority.readRevocationList('issuing'), authority.readRevocationList('root')])
  return {
    write,
    root: write('root.pem', derToPem(authority.certificates.root)),
    issuing: write('issuing.pem', derToPem(authority.certificates.issuing)),
    lists: write('lists.pem', lists.map(pemList).join('')),
    issuingList: write('issuing.crl', lists[0]),
  }
}

async function opensslVerify(authority: Authority, certificate: Uint8Array, purpose: string[] = []) {
  const { write, root, issuing, lists } = await filesFor(authority)
  const at = String(now.getTime() / 1000)
  const checks = ['-x509_strict', '-crl_check_all', '-check_ss_sig', '-attime', at]
  const leaf = write('leaf.pem', derToPem(certificate))
  return run(
    'openssl',
    `verify ${checks.join(' ')} ${purpose.join(' ')} -trusted ${root} -untrusted ${issuing} -CRLfile ${lists} ${leaf}`,
  )
}

test('SIG-5 a person’s certificate says what ETSI EN 319 412-2 and 412-5 want of a qualified one', async () => {
  const authority = await open()
  const { serialNumber, certificate } = await authority.issue(order())
  const content = readCertificate(certificate)
  expect(content).toMatchObject({
    serialNumber,
    subject: [
      { name: 'C', value: 'PL' },
      { name: 'O', value: 'Zakłady „Ość” & Synowie <s.a.>' },
      { name: 'organizationIdentifier', value: 'VATPL-1234563218' },
      { name: 'OU', value: 'Kadry' },
      { name: 'title', value: 'Kierowniczka' },
      { name: 'SN', value: 'Żółć-Świętochłowska' },
      { name: 'GN', value: 'Małgorzata' },
      { name: 'serialNumber', value: 'PNOPL-44051401458' },
      { name: 'CN', value: 'Małgorzata Żółć-Świętochłowska' },
    ],
    notBefore: now,
    notAfter: new Date(now.getTime() + 730 * day),
    keyUsage: ['nonRepudiation'],
    publicKey: { kind: 'EC', bits: 256 },
    policies: ['0.4.0.194112.1.2'],
    qualified: { compliance: true, device: true, types: ['esign'] },
    ocspUrls: [`${baseUrl}/ocsp`],
    issuerUrls: [`${baseUrl}/ca/issuing.cer`],
    crlUrls: [`${baseUrl}/crl/issuing.crl`],
  })
  expect(content.qualified.disclosures.map(({ language }) => language)).toEqual(['pl', 'en'])
  expect(content.issuer.find(({ name }) => name === 'CN')?.value).toContain('TEST')
})

test('SEA-1 a seal’s certificate says what ETSI EN 319 412-3 wants', async () => {
  const authority = await open()
  const { certificate } = await authority.issue(order({ subject: firm }))
  const { subject, policies, qualified, keyUsage } = readCertificate(certificate)
  expect(subject.map(({ name, value }) => `${name}=${value}`)).toEqual([
    'C=PL',
    'O=Zażółć Sp. z o.o.',
    'organizationIdentifier=VATPL-1234563218',
    'CN=Pieczęć działu umów',
  ])
  expect({ policies, keyUsage, types: qualified.types }).toEqual({
    policies: ['0.4.0.194112.1.3'],
    keyUsage: ['nonRepudiation'],
    types: ['eseal'],
  })
})

test('SEA-8 a payment service provider’s certificate says what ETSI TS 119 495 wants', async () => {
  const authority = await open()
  const psd2 = { roles: ['PSP_AS' as const, 'PSP_AI' as const], authority: { name: 'Urząd', id: 'PL-PFSA' } }
  const subject = { ...firm, identifier: 'PSDPL-PFSA-1234563218', psd2 }
  const { certificate } = await authority.issue(order({ subject }))
  const { qualified } = readCertificate(certificate)
  expect(qualified).toMatchObject({ compliance: true, device: true, types: ['eseal'], psd2 })
  expect(readCertificate((await authority.issue(order({ subject: firm }))).certificate).qualified.psd2).toBeUndefined()
})

test('TSP-4 the certificate for timestamps serves nothing else, and comes to older folders', async () => {
  const folder = copyOfKeys()
  rmSync(join(folder, 'timestamping.json'))
  const authority = await open(folder)
  const { certificate } = authority.timestamping
  expect(Buffer.from((await open(folder)).timestamping.certificate).equals(certificate)).toBe(true)
  expect(readCertificate(certificate)).toMatchObject({
    keyUsage: ['digitalSignature'],
    policies: ['0.4.0.2023.1.1'],
    notBefore: now,
    notAfter: readCertificate(authority.certificates.issuing).notAfter,
  })
  expect(authority.status(readCertificate(certificate).serialNumber)).toBe('good')
})

test.skipIf(!has('openssl'))(
  'TSP-4 openssl (skipped where it is missing) takes the certificate for timestamps alone',
  async () => {
    const authority = await open()
    const verdict = async (certificate: Uint8Array) =>
      (await opensslVerify(authority, certificate, ['-purpose', 'timestampsign'])).code
    expect(await verdict(authority.timestamping.certificate)).toBe(0)
    expect(await verdict(authority.seal.certificate)).not.toBe(0)
  },
)

test('SIG-5 a key in a file is not claimed to be in a qualified device', async () => {
  const authority = await open()
  const { certificate } = await authority.issue(order({ device: false }))
  const { policies, qualified } = readCertificate(certificate)
  expect({ policies, device: qualified.device }).toEqual({ policies: ['0.4.0.194112.1.0'], device: false })
  expect(readCertificate(authority.seal.certificate).qualified.device).toBe(false)
})

test('SIG-5 a number of the provider’s own is not passed off as an identifier of EN 319 412-1', async () => {
  const authority = await open()
  const semantics = Buffer.from('06082b06010505070b02', 'hex')
  const own = await authority.issue(order({ subject: { ...person, serialNumber: 'EC-10045' } }))
  const official = await authority.issue(order({ subject: { ...person, serialNumber: 'PASPL-ZS0000177' } }))
  expect(Buffer.from(own.certificate).includes(semantics)).toBe(false)
  expect(Buffer.from(official.certificate).includes(semantics)).toBe(true)
})

test('SIG-5 names and times that a certificate cannot hold are refused', async () => {
  const authority = await open()
  const subject = (changes: Partial<PersonSubject>) => order({ subject: { ...person, ...changes } })
  const refused = [
    subject({ givenName: ' ' }),
    subject({ serialNumber: 'PNOPL-żółć' }),
    subject({ country: 'Polska' }),
    order({ notAfter: now }),
    order({ notBefore: new Date('1990-01-01') }),
    order({ notAfter: new Date('2060-01-01') }),
    order({ notAfter: new Date(Number.NaN) }),
  ]
  for (const request of refused) await expect(authority.issue(request)).rejects.toThrow(RangeError)
})

test.skipIf(!has('openssl'))(
  'SIG-5 openssl (skipped without it) verifies every kind of certificate, until it is revoked',
  async () => {
    const authority = await open()
    const [ofPerson, ofFirm] = [
      await authority.issue(order()),
      await authority.issue(order({ subject: firm, device: false })),
    ]
    for (const leaf of [ofPerson.certificate, ofFirm.certificate, authority.seal.certificate])
      expect(await opensslVerify(authority, leaf)).toMatchObject({ code: 0 })
    await authority.revoke(ofPerson.serialNumber, 'keyCompromise', now)
    const { code, output } = await opensslVerify(authority, ofPerson.certificate)
    expect({ code, revoked: output.includes('certificate revoked') }).toEqual({ code: 2, revoked: true })
  },
)

test.skipIf(!has('openssl'))(
  'SIG-5 openssl (skipped where it is missing) reads numbers, scope and reasons of a list',
  async () => {
    const authority = await open()
    const [first, second] = await Promise.all([authority.issue(order()), authority.issue(order())])
    await authority.revoke(first.serialNumber, 'cessationOfOperation', new Date('2026-11-20T08:15:30Z'))
    await authority.suspend(second.serialNumber, now)
    const { issuing, issuingList } = await filesFor(authority)
    const { code, output } = await run('openssl', `crl -inform DER -in ${issuingList} -CAfile ${issuing} -text -noout`)
    expect(code).toBe(0)
    expect(output).toContain('verify OK')
    expect(output).toContain('Only User Certificates')
    expect(output).toContain(first.serialNumber)
    expect(output).toContain('Nov 20 08:15:30 2026 GMT')
    expect(output).toContain('Cessation Of Operation')
    expect(output).toContain('Certificate Hold')
    expect(output).toContain('Next Update: Nov 22 10:00:00 2026 GMT')
  },
)

test('SIG-1 a suspension ends or becomes a revocation that counts from its beginning', async () => {
  const directory = copyOfKeys()
  const authority = await open(directory)
  const suspendedAt = new Date('2026-11-01T12:00:00Z')
  const { serialNumber } = await authority.issue(order())
  await authority.suspend(serialNumber, suspendedAt)
  expect(authority.status(serialNumber)).toBe('suspended')
  await authority.reinstate(serialNumber)
  expect(authority.status(serialNumber)).toBe('good')
  await authority.suspend(serialNumber, suspendedAt)
  await authority.revoke(serialNumber, 'keyCompromise', now)
  expect(authority.status(serialNumber)).toBe('revoked')
  expect(JSON.parse(readFileSync(join(directory, 'record.json'), 'utf8'))).toMatchObject({
    revocations: [[serialNumber, { at: suspendedAt.toISOString(), reason: 'keyCompromise' }]],
  })
})

test('SIG-1 a revocation is final, and only what was issued can be revoked, not in time to come', async () => {
  const authority = await open()
  const { serialNumber } = await authority.issue(order())
  await expect(authority.revoke(serialNumber, 'superseded', new Date(now.getTime() + 1))).rejects.toThrow(RangeError)
  await expect(authority.reinstate(serialNumber)).rejects.toThrow('The certificate is good')
  await authority.revoke(serialNumber, 'superseded', now)
  await expect(authority.revoke(serialNumber, 'superseded', now)).rejects.toThrow('The certificate is revoked')
  await expect(authority.suspend(serialNumber, now)).rejects.toThrow('The certificate is revoked')
  await expect(authority.reinstate(serialNumber)).rejects.toThrow('The certificate is revoked')
  await expect(authority.suspend('7F00', now)).rejects.toThrow('The certificate is unknown')
})

// Draws eight large keys.
test.runIf(exhaustive)('R90 two that open a new folder at once share the keys of one of them', async () => {
  const directory = testFolder()
  const [first, second] = await Promise.all([open(directory), open(directory)])
  expect(second.certificates).toEqual(first.certificates)
  const { certificate } = await second.issue(order())
  expect(new X509Certificate(certificate).verify(new X509Certificate(first.certificates.issuing).publicKey)).toBe(true)
})

test('R90 many changes at once are all kept when it is opened again, with keys and list numbers', async () => {
  const directory = copyOfKeys()
  const authority = await open(directory)
  const issued = await Promise.all(Array.from({ length: 12 }, () => authority.issue(order())))
  await Promise.all(issued.map(({ serialNumber }) => authority.suspend(serialNumber, now)))
  await authority.readRevocationList('issuing')
  const again = await open(directory)
  expect([again.certificates, again.seal.certificate]).toEqual([authority.certificates, authority.seal.certificate])
  expect(await listNumber(again)).toBe(2)
  expect(new Set(issued.map(({ serialNumber }) => again.status(serialNumber)))).toEqual(new Set(['suspended']))
})

test('R82 only the owner reads the private keys', () => {
  expect(statSync(join(keys, 'authority.json')).mode & 0o777).toBe(0o600)
})

/** Returns the CRL number, read from the extension's fixed encoding. */
async function listNumber(authority: Authority) {
  const der = Buffer.from(await authority.readRevocationList('issuing'))
  return der[der.indexOf(Buffer.from('0603551d140403', 'hex')) + 9]
}

test('SIG-5 a list is kept for an hour, made again after a change, and never numbered twice', async () => {
  let clock = now
  const authority = await open(copyOfKeys(), () => clock)
  const { serialNumber } = await authority.issue(order())
  const digest = async () => hash('sha256', await authority.readRevocationList('issuing'))
  const first = await digest()
  clock = new Date(now.getTime() + 59 * 60 * 1000)
  expect(await digest()).toBe(first)
  expect(await listNumber(authority)).toBe(1)
  await authority.suspend(serialNumber, now)
  expect(await listNumber(authority)).toBe(2)
  clock = new Date(now.getTime() + 60 * 60 * 1000 + 59 * 60 * 1000)
  expect(await listNumber(authority)).toBe(3)
})

test('STP-5 R177 a request of the portal is carried out once, and only if the status allows it', async () => {
  const directory = testFolder()
  const reopen = () => openTestAuthority({ directory, baseUrl, now: () => now })
  const authority = await reopen()
  const { serialNumber } = await authority.issue(order())
  await authority.carryOut('r-1', serialNumber, 'suspend', 'unspecified')
  expect(authority.status(serialNumber)).toBe('suspended')
  // Its answer was lost, and the provider has ended the suspension since.
  await authority.reinstate(serialNumber)
  const restarted = await reopen()
  await restarted.carryOut('r-1', serialNumber, 'suspend', 'unspecified')
  expect(restarted.status(serialNumber)).toBe('good')
  await expect(restarted.carryOut('r-2', '4711', 'suspend', 'unspecified')).rejects.toThrow(AuthorityError)
  // What has the status already needs no change.
  await restarted.carryOut('r-3', serialNumber, 'resume', 'unspecified')
  await restarted.carryOut('r-4', serialNumber, 'revoke', 'keyCompromise')
  await restarted.carryOut('r-5', serialNumber, 'revoke', 'superseded')
  expect(restarted.status(serialNumber)).toBe('revoked')
  for (const change of ['suspend', 'resume'] as const)
    await expect(restarted.carryOut('r-6', serialNumber, change, 'unspecified')).rejects.toThrow(AuthorityError)
})
