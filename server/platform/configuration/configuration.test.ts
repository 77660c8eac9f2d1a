import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import * as adapters from '../../adapters/choose-adapters.ts'
import { folderOfFile } from '../../testing/open-portal.ts'
import { demonstrationBrand } from '../brand/brand.ts'
import { keyNames, keyOf } from './configuration-keys.ts'
import { readConfiguration } from './configuration.ts'
import { editDistance } from './keys/key-schemas.ts'
import { ConfigurationError } from './startup-error.ts'

const directory = folderOfFile()
const file = (name: string, text: string) => {
  writeFileSync(join(directory, name), text)
  return join(directory, name)
}

/** Writes a file with the brand of the demonstration, except for some fields. */
const brandWith = (over: object) =>
  file(`brand-${crypto.randomUUID()}.json`, JSON.stringify({ ...demonstrationBrand, ...over }))
const brandFile = brandWith({ product: 'Znak' })

/** A provider's own portal, complete. */
const complete = {
  DEMONSTRATION: 'off',
  PUBLIC_URL: 'https://portal.example',
  DATABASE_URL: 'postgres://sygnet@db.example/sygnet',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'portal@provider.example',
  SMS_URL: 'https://sms.example/send',
  SMS_TOKEN: 'f3Qz81-kwVd0L2mB',
  CSC_URL: 'https://sign.example/csc/v2',
  CSC_CLIENT_ID: 'sygnet-portal',
  CSC_CLIENT_SECRET: 'f3Qz81-kwVd0L2mB',
  TSA_URL: 'https://tsa.example',
  BRAND_FILE: brandFile,
  SIGNATURE_ANCHORS_FILE: file('anchors.pem', rootCertificates[0]!),
}

type Environment = Record<string, string | undefined>

function errorsOf(environment: Environment): string[] {
  try {
    readConfiguration(environment)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as Error).message.split('\n')
  }
}

/** Returns the errors for a provider's own portal with other values. */
const errorsWith = (over: Environment) => errorsOf({ ...complete, ...over })

/** The examples of the guide, with secrets and files of their own. */
const examples: Environment = {
  ...Object.fromEntries(
    keyNames.map((name) => [name, keyOf(name).secret === undefined ? keyOf(name).example : complete.SMS_TOKEN]),
  ),
  MASTER_KEY: randomBytes(32).toString('base64'),
  // Each for another value of a choice than its example has.
  DEMONSTRATION_PUBLIC: undefined,
  APP_ACTIVATION_KEY_FILE: undefined,
  DATABASE_URL: 'postgres://sygnet@db.provider.example/sygnet?sslmode=verify-full',
  DATABASE_OWNER_URL: 'postgres://sygnet_owner@db.provider.example/sygnet',
  DATABASE_DIRECT_URL: 'postgres://sygnet@db.provider.example/sygnet',
  SMTP_URL: 'smtps://portal@mail.provider.example',
  BRAND_FILE: brandFile,
  SIGNATURE_ANCHORS_FILE: file('example-anchors.pem', rootCertificates[0]!),
  TRUSTED_LISTS_CERTIFICATES_FILE: file('example-lists.pem', rootCertificates[0]!),
}

test('OPS-3 all examples of the guide together start every adapter, as a provider would copy them', async () => {
  const configuration = readConfiguration(examples)
  const publicUrl = String(configuration.publicUrl)
  const trust = adapters.chooseTrust(configuration, undefined)
  await adapters.chooseMail(configuration, publicUrl)?.close()
  for (const chosen of [
    adapters.chooseSms(configuration),
    adapters.chooseCountry(configuration),
    adapters.chooseTimestampAccounts(configuration),
    adapters.chooseMalware(configuration),
    adapters.chooseDocumentStore(configuration, directory),
    adapters.chooseRemoteSigning(configuration, () => {}),
    adapters.chooseTimestamps(configuration),
    adapters.chooseTrustedLists(configuration, undefined, () => {}),
    trust,
    adapters.chooseRevocation({ ...configuration, revocationFetch: true }, trust, []),
  ])
    expect(chosen).toBeDefined()
})

test('OPS-1 without any variable the demonstration starts, on this machine only', () => {
  expect(readConfiguration({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    demonstration: true,
    databaseUrl: undefined,
    sms: 'message-box',
    botCheck: 'altcha',
    assetsUrl: '/assets/',
  })
  expect(readConfiguration({ PORT: ' 8080 ', HOST: '', TRUSTED_PROXIES: ' ' })).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    trustedProxies: [],
  })
})

test('OPS-3 a complete configuration is read, and missing keys have the defaults of the specification', () => {
  const read = readConfiguration({
    ...complete,
    TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16 ::1',
    WEBHOOK_HOSTS: 'Hooks.Example:443, 10.0.0.5:8443',
    SESSION_IDLE_SECONDS: '600',
    HOST: '0.0.0.0',
  })
  expect(read).toMatchObject({
    demonstration: false,
    host: '0.0.0.0',
    publicUrl: 'https://portal.example',
    databaseUrl: complete.DATABASE_URL,
    smtpUrl: complete.SMTP_URL,
    mailFrom: complete.MAIL_FROM,
    sms: 'generic',
    smsUrl: complete.SMS_URL,
    brand: { product: 'Znak' },
    trustedProxies: ['10.0.0.1', '10.1.0.0/16', '::1'],
    webhookHosts: ['hooks.example', '10.0.0.5:8443'],
    sessionIdleSeconds: 600,
    sessionAbsoluteSeconds: limits.session.absolute,
    smsPerNumber: limits.code.sendsPerRecipient.limit,
    smsPerAddress: limits.code.sendsPerAddress.limit,
  })
  for (const PUBLIC_URL of ['https://portal.example/', 'https://Portal.Example:443'])
    expect(readConfiguration({ ...complete, PUBLIC_URL }).publicUrl).toBe('https://portal.example')
})

describe('an error names its key', () => {
  const { SMS_TOKEN: secret } = complete
  const cases: [message: string, ...wrong: Environment[]][] = [
    ['DEMONSTRATION is yes; it can be on, off.', { DEMONSTRATION: 'yes', HOST: '127.0.0.1' }],
    [
      'PUBLIC_URL is not set to the https:// address that customers use.',
      { PUBLIC_URL: undefined },
      { PUBLIC_URL: 'http://portal.example' },
    ],
    [
      'PUBLIC_URL must be an origin, without a path.',
      { PUBLIC_URL: 'https://portal.example/app' },
      { PUBLIC_URL: 'https://user:secret@portal.example' },
      { PUBLIC_URL: 'https://portal.example?x=1' },
    ],
    [
      'DATABASE_OWNER_URL is set, but DATABASE_URL is not: the embedded database needs no owner login.',
      { DATABASE_URL: undefined, DATABASE_OWNER_URL: 'postgres://owner@db.example/sygnet' },
    ],
    [
      'DATABASE_DIRECT_URL is set, but DATABASE_URL is not: the embedded database has no pooler.',
      { DATABASE_URL: undefined, DATABASE_DIRECT_URL: 'postgres://sygnet@db.example/sygnet' },
    ],
    [
      'DATABASE_URL has a literal % in its login or password: write it as %25.',
      { DATABASE_URL: `postgres://u:${secret}%kw@db.example/s` },
      { DATABASE_URL: `postgres://u:${secret}%FF@db.example/s` },
    ],
    [
      'SMTP_URL has a literal % in its login or password: write it as %25.',
      { SMTP_URL: `smtps://u:100%${secret}@mail.example` },
    ],
    ['SMTP_URL has no host.', { SMTP_URL: 'smtp://' }],
    ['SMTP_URL is not set: the portal cannot send mails.', { SMTP_URL: undefined, MAIL_FROM: undefined }],
    ['MAIL_FROM is not set: the sender of mails, such as portal@provider.example.', { MAIL_FROM: undefined }],
    [
      'SMS_GATEWAY is pigeon; it can be generic, smsapi, message-box.',
      { SMS_GATEWAY: 'pigeon', SMS_URL: undefined, SMS_TOKEN: undefined },
    ],
    ['SMS_GATEWAY=message-box is for the demonstration only.', { SMS_GATEWAY: 'message-box' }],
    ['SMS_URL is not set: the address of the SMS gateway.', { SMS_URL: undefined }],
    ['SMS_TOKEN is not set: the token of the SMS gateway.', { SMS_TOKEN: ' ' }],
    ['BOT_CHECK is guess; it can be altcha, turnstile, hcaptcha, recaptcha.', { BOT_CHECK: 'guess' }],
    [
      'BOT_CHECK_SITE_KEY is not set: the public key of the bot check.',
      { BOT_CHECK: 'turnstile', BOT_CHECK_SECRET: secret },
    ],
    ['BOT_CHECK_SECRET is not set: the secret of the bot check.', { BOT_CHECK: 'turnstile', BOT_CHECK_SITE_KEY: 'k' }],
    [
      'BRAND_FILE is not set: the portal would show the names and links of the demonstration.',
      { BRAND_FILE: undefined },
    ],
    ['METRICS_PORT is the same as PORT; metrics need a port of their own.', { METRICS_PORT: '3000' }],
    [
      'SESSION_ABSOLUTE_SECONDS is less than SESSION_IDLE_SECONDS.',
      { SESSION_IDLE_SECONDS: '900', SESSION_ABSOLUTE_SECONDS: '600' },
    ],
  ]

  /** Values that a key may not have, with what its error says after the name of the key. */
  const web = 'is not an address that begins with https:// or http://.'
  const postgres = 'is not an address that begins with postgres:// or postgresql://.'
  const sender = 'is neither an e-mail address nor Name <address>.'
  const path = 'must be a path that begins and ends with /, such as /assets/.'
  const seconds = 'is not a whole number from 180 to 604800.'
  const address = 'is not an IP address such as 0.0.0.0.'
  const values: [message: string, keys: string, ...wrong: string[]][] = [
    [sender, 'MAIL_FROM', 'portal', 'a@b.example, c@d.example', 'Portal <portal>', '@provider.example'],
    [
      path,
      'ASSETS_URL',
      'assets',
      '/assets',
      'assets/',
      '/',
      '//cdn.example/',
      'https://cdn.example/',
      '/../',
      '/a"b/',
    ],
    [address, 'HOST METRICS_HOST', 'nginx', 'localhost', 'portal.provider.example', '10.0.0.300', '0.0.0.0/0'],
    [postgres, 'DATABASE_URL DATABASE_OWNER_URL', 'mysql://db.example', 'db.example'],
    ['is not an address that begins with smtp:// or smtps://.', 'SMTP_URL', 'mail.example:25'],
    [web, 'SMS_URL TRACES_URL', 'ftp://sms.example', 'other:4318'],
    [web, 'COUNTRY_LOOKUP_URL', 'somewhere'],
    // Larger numbers exceed the database's integers, and browsers' timers would fire at once.
    ['is not a whole number from 0 to 65535.', 'PORT METRICS_PORT', 'eighty', '65536'],
    ['is not a whole number from 0 to 100.', 'TRACES_PERCENT', '101'],
    ['is not a whole number from 0 to 20.', 'STOP_DELAY_SECONDS', '25'],
    [seconds, 'SESSION_IDLE_SECONDS SESSION_ABSOLUTE_SECONDS', '60', '1e9.5', '604801'],
    ['is not a whole number from 1 to 1000000000.', 'SMS_PER_NUMBER SMS_PER_ADDRESS', '0', '3000000000', '-1'],
    ['is not a whole number from 2 to 1000000000.', 'DATABASE_CONNECTIONS', 'many'],
  ]
  for (const [message, keys, ...wrong] of values)
    for (const key of keys.split(' ')) cases.push([`${key} ${message}`, ...wrong.map((value) => ({ [key]: value }))])

  test.each(cases)('OPS-3 R82 %s', (message, ...wrong) => {
    for (const each of wrong) expect([each, errorsWith(each)]).toEqual([each, [message]])
  })

  test('OPS-3 R82 a list names the part that is wrong', () => {
    for (const proxy of ['nginx', '10.0.0.0/0', '10.0.0.0/33', '10.0.0', '::1/129', '10.0.0.0/8/8', 'loopback', '*'])
      expect(errorsWith({ TRUSTED_PROXIES: `10.0.0.1 ${proxy}` })).toEqual([
        `TRUSTED_PROXIES has ${proxy}, which is neither an address nor a network such as 10.0.0.0/8.`,
      ])
    const foreign = ['*', '*.hooks.example', 'https://hooks.example', 'hooks.example/path', 'me@hooks.example']
    for (const host of [...foreign, 'hooks.example:https'])
      expect(errorsWith({ WEBHOOK_HOSTS: `hooks.example ${host}` })).toEqual([
        `WEBHOOK_HOSTS has ${host}, which is not a host such as events.provider.example or 10.0.0.5:8443.`,
      ])
  })

  test('OPS-3 R81 a template of the country lookup that could change the host or asks nothing is refused', () => {
    for (const url of ['/?ip=', '{ip}', ':{ip}/']
      .map((end) => `https://country.example${end}`)
      .concat('https://{ip}/', 'https://{ip}.country.example/', 'https://{ip}@country.example/'))
      expect(errorsWith({ COUNTRY_LOOKUP_URL: url })[0]).toMatch(
        /^COUNTRY_LOOKUP_URL (?:has no \{ip\} in its path or query|is not an address)/,
      )
  })

  test('REN-12 a portal that signs and has no signing service does not start; one that does not sign does', () => {
    const none = { CSC_URL: undefined, CSC_CLIENT_ID: undefined, CSC_CLIENT_SECRET: undefined, TSA_URL: undefined }
    expect(errorsWith(none)).toEqual([
      'CSC_URL is not set: nothing can be signed in the portal; without a signing service add signing, renewal and file-signing to FEATURES_OFF.',
    ])
    expect(errorsWith({ ...none, FEATURES_OFF: 'signing, renewal, file-signing' })).toEqual([])
    expect(errorsWith({ FEATURES_OFF: 'signing' })).toEqual([
      'FEATURES_OFF has signing but not renewal, which needs it.',
      'FEATURES_OFF has signing but not file-signing, which needs it.',
    ])
    const off = readConfiguration({ ...complete, TSA_URL: undefined, FEATURES_OFF: 'signing renewal file-signing' })
    expect(adapters.chooseRemoteSigning(off, () => {})).toBeUndefined()
    expect(errorsWith({ TSA_URL: undefined })).toEqual([
      'TSA_URL is not set: signatures made in the portal need a timestamp.',
    ])
  })

  test('ERR-5 a portal that judges signatures and trusts no authority does not start', () => {
    const none = { SIGNATURE_ANCHORS_FILE: undefined }
    const error =
      'SIGNATURE_ANCHORS_FILE is not set: no signature would be trusted; without it and TRUSTED_LISTS_URL add documents, file-check and file-signing to FEATURES_OFF.'
    const off = 'file-check, file-signing'
    expect(errorsWith(none)).toEqual([error])
    expect(errorsWith({ ...none, FEATURES_OFF: off })).toEqual([error])
    expect(errorsWith({ ...none, FEATURES_OFF: 'documents' })).toEqual([error])
    expect(errorsWith({ ...none, FEATURES_OFF: `documents, ${off}` })).toEqual([])
    const dss = { SIGNATURE_DSS_URL: 'https://dss.example' }
    expect(errorsWith({ ...none, ...dss })).toEqual([error])
    expect(errorsWith({ ...none, ...dss, FEATURES_OFF: off })).toEqual([])
    const lists = {
      TRUSTED_LISTS_URL: 'https://lists.example',
      TRUSTED_LISTS_CERTIFICATES_FILE: file('lists.pem', rootCertificates[0]!),
    }
    expect(errorsWith({ ...none, ...lists })).toEqual([])
  })

  test('REN-11 the codes of certificate templates are read for all three periods, or refused', () => {
    const codes = (value: string) => readConfiguration({ RENEWAL_TEMPLATES: value }).renewalTemplates
    const three = { '1_year': 'QCS:1', '2_year': 'a/b', '3_year': 'x-y_z.3' }
    expect(codes('1_year=QCS:1, 2_year=a/b\n3_year=x-y_z.3')).toEqual(three)
    for (const wrong of ['1_year=A', '1_year=A,2_year=B,3_year=', '1_year=A,3_year=B,2_year=C', 'A,B,C'])
      expect(() => codes(wrong)).toThrow(/RENEWAL_TEMPLATES is not like 1_year=QCS-1Y/)
    expect(Object.keys(readConfiguration({}).renewalTemplates)).toEqual(Object.keys(three))
  })

  test('SGN-6 the algorithms of signatures are given by name, in order, and a weak one is not known', () => {
    const algorithms = (CSC_ALGORITHMS: string) => readConfiguration({ CSC_ALGORITHMS }).cscAlgorithms
    expect(algorithms('rsa-pss-sha512, ecdsa-sha256')).toEqual([
      { scheme: 'rsa-pss', digest: 'sha512' },
      { scheme: 'ecdsa', digest: 'sha256' },
    ])
    expect(readConfiguration({}).cscAlgorithms).toBeUndefined()
    expect(() => algorithms('rsa-pkcs1-sha1')).toThrow(
      /CSC_ALGORITHMS has rsa-pkcs1-sha1, which is not one of rsa-pkcs1/,
    )
  })

  const refused = (...names: string[]) =>
    `DEMONSTRATION is on, which shows every code and link to anyone, but a real portal’s settings are there (${names.join(', ')}): set DEMONSTRATION=off, or DEMONSTRATION_PUBLIC=on for a demonstration that anyone may use.`

  test('R122 R82 R3 a demonstration, which shows every code, is not opened to the network', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.10', '128.0.0.1'])
      expect(errorsOf({ HOST: host })).toEqual([refused('HOST')])
    for (const host of ['portal.example', 'localhost', '127.0.0.1.evil.example'])
      expect(errorsOf({ HOST: host })).toEqual(['HOST is not an IP address such as 0.0.0.0.'])
    for (const host of ['127.0.0.1', '127.1.2.3', '::1']) expect(errorsOf({ HOST: host })).toEqual([])
  })

  const real = keyNames.filter((name) => keyOf(name).isReal !== undefined)
  const mailFrom = { MAIL_FROM: complete.MAIL_FROM }

  test.each(real)('R122 a demonstration with %s is refused unless it is declared public', (name) => {
    expect(errorsOf({ ...mailFrom, [name]: examples[name] ?? brandFile })).toContain(refused(name))
  })

  test('R122 one error names all of them; off and public contradict each other', () => {
    const given = { ...examples, DEMONSTRATION: 'on' }
    expect(errorsOf(given)).toEqual([refused(...real.filter((name) => examples[name] !== undefined))])
    expect(errorsOf({ ...given, DEMONSTRATION_PUBLIC: 'on' })).toEqual([])
    expect(errorsWith({ DEMONSTRATION_PUBLIC: 'on' })).toEqual([
      'DEMONSTRATION_PUBLIC is on, but DEMONSTRATION is off.',
    ])
    for (const own of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])
      expect(errorsOf({ PUBLIC_URL: own, SMS_GATEWAY: 'message-box', BOT_CHECK: 'altcha' })).toEqual([])
  })

  test('R122 every key that leads out of the machine is one of a real portal', () => {
    const harmless = ['SECURITY_POLICY_URL', 'ASSETS_URL', 'MASTER_KEY']
    const leadsOut = /_URL$|HOSTS?$|GATEWAY$|_(?:TOKEN|SECRET|LOGIN|PASSWORD|ID|KEY)$|ANCHORS/
    for (const name of keyNames.filter((key) => leadsOut.test(key) || keyOf(key).secret !== undefined))
      expect([name, keyOf(name).isReal !== undefined]).toEqual([name, !harmless.includes(name)])
    // Keys that a demonstration may have, because they stay on its machine.
    const metrics = { METRICS_HOST: '127.0.0.1', METRICS_PORT: '9464' }
    const contact = { ...mailFrom, SECURITY_CONTACT: 'mailto:security@provider.example', BRAND_FILE: brandFile }
    expect(errorsOf({ ...metrics, ...contact })).toEqual([])
  })

  test('OPS-13 a field of the brand that only a newer version knows is ignored with a warning', () => {
    const colours = { ink: '#000000', 'brand-900': '#0b1f33' }
    const BRAND_FILE = brandWith({ colours, extra: { a: 1 } })
    const { brand, warnings } = readConfiguration({ ...complete, BRAND_FILE })
    expect(brand).toEqual({ ...demonstrationBrand, colours: { 'brand-900': colours['brand-900'] } })
    expect(warnings).toEqual([
      'BRAND_FILE: colours.ink is not a field of this version, and is ignored.',
      'BRAND_FILE: extra is not a field of this version, and is ignored.',
    ])
    expect(errorsWith({ BRAND_FILE: file('both.json', JSON.stringify({ extra: 1 })) })).toContain(
      'BRAND_FILE: links is missing, or is not what belongs there.',
    )
  })

  test('OPS-3 a brand file that is missing, not JSON or incomplete is reported with the reason', () => {
    const errorsOfBrand = (over: object) => errorsWith({ BRAND_FILE: brandWith(over) })
    expect(errorsWith({ BRAND_FILE: join(directory, 'none.json') })).toEqual([expect.stringContaining('ENOENT')])
    expect(errorsWith({ BRAND_FILE: file('broken.json', '{') })).toEqual([expect.stringContaining('JSON')])
    const { renewal: _, ...links } = demonstrationBrand.links
    const withoutLink = 'BRAND_FILE: links.renewal is missing, or is not what belongs there.'
    expect(errorsOfBrand({ links })).toEqual([withoutLink])
    const wrong = {
      phone: 'none',
      hours: { from: '8', to: '25:00' },
      links: { ...demonstrationBrand.links, seal: 'javascript:alert(1)' },
      colours: { lak: 'red' },
      product: ' ',
    }
    expect(errorsOfBrand(wrong)).toEqual([
      'BRAND_FILE: product is empty.',
      'BRAND_FILE: phone is not a telephone number such as +48 22 100 20 30.',
      'BRAND_FILE: hours.from is not a time such as 8:00.',
      'BRAND_FILE: hours.to is not a time such as 8:00.',
      'BRAND_FILE: links.seal is not an https:// address.',
      'BRAND_FILE: colours.lak is not a colour such as #114B63.',
    ])
    // What is checked further is reported together with what is missing.
    expect(errorsOfBrand({ links, colours: { 'brand-700': '#F08A24' }, mark: 'none.svg' })).toEqual(
      expect.arrayContaining([
        withoutLink,
        'BRAND_FILE: white (#FFFFFF) on brand-700 (#F08A24) reaches a contrast of 2.51, and 7 is needed.',
        'BRAND_FILE: mark cannot be read (ENOENT).',
      ]),
    )
    expect(errorsOfBrand({ company: 'x'.repeat(100), hours: { from: '9:59', to: '10:00' } })).toEqual([])
    expect(errorsOfBrand({ company: 'x'.repeat(101) })).toEqual(['BRAND_FILE: company is longer than 100 characters.'])
    for (const from of ['17:00', '8:00'])
      expect(errorsOfBrand({ hours: { from, to: '8:00' } })).toEqual(['BRAND_FILE: hours.to is not after hours.from.'])
  })

  test('R75 OPS-3 a name that makes an SMS longer than one part is reported at the start', () => {
    const judged = (product: string, PUBLIC_URL = complete.PUBLIC_URL) =>
      errorsWith({ PUBLIC_URL, BRAND_FILE: brandWith({ product }) })
    expect(judged('Pieczęć Źródło')).toEqual([])
    const sentence =
      /^BRAND_FILE: product and the host of PUBLIC_URL make an SMS that does not fit into one part .*"\.$/
    const long = [judged('Печать'), judged('x'.repeat(70)), judged('Znak', `https://${'x'.repeat(60)}.example`)]
    for (const errors of long) expect(errors).toEqual([expect.stringMatching(sentence)])
  })

  test('OPS-3 R64 a mark with more than drawing elements is refused, naming the element', () => {
    const svg = (inside: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${inside}<path fill="#8A2B0E" d="M0 0h40v40z"/></svg>`
    const marked = brandWith({ mark: 'mark.svg' })
    const faultsOf = (drawing: string) => {
      file('mark.svg', drawing)
      return errorsWith({ BRAND_FILE: marked }).map((error) => error.replace('BRAND_FILE: mark ', ''))
    }
    expect(faultsOf(svg('<g fill="url(#a)"/>'))).toEqual([])
    expect(faultsOf('GIF89a')).toHaveLength(3)
    const elements = ['<script>1</script>', '<svg:script>1</svg:script>', '<foreignObject/>', '<animate/>']
    const others = ['<image x="0"/>', '<style>a{}</style>', '<!-- x -->', '<!ENTITY a "b">', '<?xml-stylesheet?>']
    for (const inside of [...elements, ...others])
      expect(faultsOf(svg(inside))).toEqual(['must not have anything but shapes and gradients.'])
    expect(faultsOf(svg('<g style="fill:red"/>'))).toEqual(['must not have styles; colours are attributes.'])
    expect(faultsOf(svg('<g onload="x()"/>'))).toEqual(['must not have event handlers.'])
    for (const inside of ['<g href="#a"/>', '<g xlink:href="//x.example"/>', '<g fill="url(https://x.example)"/>'])
      expect(faultsOf(svg(inside))).toEqual(['must not have links to anything.'])
    expect(faultsOf(svg(`<path d="${'M0 0'.repeat(5000)}"/>`))).toEqual(['is larger than 16384 bytes.'])
    rmSync(join(directory, 'mark.svg'))
    expect(errorsWith({ BRAND_FILE: marked })).toEqual(['BRAND_FILE: mark cannot be read (ENOENT).'])
  })

  test('R82 a secret that is short, a default or an example keeps the portal from starting', () => {
    const guessable = 'is a default or an example, which anyone can guess: draw one at random.'
    expect(errorsWith({ SMS_TOKEN: secret.slice(1) })).toEqual([
      'SMS_TOKEN is too short for a secret: it needs 16 characters or more.',
    ])
    const placeholders = ['changeme-changeme', 'my-secret-token-123', 'YOUR_TOKEN_GOES_HERE', 'password12345678']
    for (const poor of [...placeholders, 'a'.repeat(40)])
      expect(errorsWith({ SMS_TOKEN: poor })).toEqual([`SMS_TOKEN ${guessable}`])
    for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL']) {
      const weak = 'postgres://postgres:postgres@db.example/sygnet'
      expect(errorsWith({ [name]: weak })).toEqual([`The password in ${name} ${guessable}`])
      expect(errorsWith({ [name]: `postgres://sygnet:${secret}@db.example/sygnet` })).toEqual([])
    }
    expect(errorsWith({ SMTP_URL: 'smtps://portal:12345@mail.example' })).toEqual([
      'The password in SMTP_URL is too short for a secret: it needs 8 characters or more.',
    ])
    const tokens = keyNames.filter((name) => keyOf(name).secret !== undefined && !/_URL$|^MASTER_KEY$/.test(name))
    const withSecrets = (value: string) =>
      errorsOf({ ...examples, DEMONSTRATION: 'off', ...Object.fromEntries(tokens.map((name) => [name, value])) })
    expect(withSecrets(secret)).toEqual([])
    expect(withSecrets('hunter2')).toHaveLength(tokens.length)
    const weak = { DATABASE_URL: 'postgres://postgres:postgres@127.0.0.1/x', DEMONSTRATION_PUBLIC: 'on' }
    expect(errorsOf(weak)).toEqual([`The password in DATABASE_URL ${guessable}`])
    // Refused as a real portal's setting, not as weak (R122).
    expect(errorsOf({ TSA_PASSWORD: 'short', TSA_LOGIN: 'l' })).toEqual([refused('TSA_LOGIN', 'TSA_PASSWORD')])
  })

  test('OPS-17 a file that an address of the database names is read before a connection needs it', () => {
    const DATABASE_URL = `${complete.DATABASE_URL}?sslmode=verify-full&sslrootcert=${join(directory, 'none.pem')}`
    expect(errorsWith({ DATABASE_URL })).toEqual([
      'DATABASE_URL: sslrootcert names a file that cannot be read (ENOENT).',
    ])
  })

  test('R82 a master key that is not random is reported with the other errors', () => {
    expect(errorsOf({ PORT: 'x', MASTER_KEY: 'short' })).toEqual([
      'PORT is not a whole number from 0 to 65535.',
      'Key 1 in MASTER_KEY is not a master key: 32 random bytes or more, in base64.',
    ])
  })

  test('OPS-3 R82 all errors are reported at once, without a secret', () => {
    const errors = errorsOf({
      ...complete,
      SMTP_URL: 'http://user:canary@mail.example',
      DATABASE_URL: 'canary',
      SMS_URL: 'canary',
      PUBLIC_URL: 'https://canary@x.example',
    })
    expect(errors.length).toBeGreaterThan(3)
    expect(errors.join()).not.toContain('canary')
  })
})

describe('OPS-3 the file that SYGNET_CONFIG names', () => {
  const inFile = (content: unknown) => ({
    SYGNET_CONFIG: file('sygnet.json', typeof content === 'string' ? content : JSON.stringify(content)),
  })

  test('has the same keys, which the environment overrides, and its paths are relative to its folder', () => {
    file('token', '  f3Qz81-kwVd0L2mB\n')
    const { SMS_TOKEN: _, ...rest } = complete
    const paths = { BRAND_FILE: basename(brandFile), SMS_TOKEN_FILE: 'token', DATA_DIR: 'data' }
    const filed = inFile({ ...rest, ...paths, PORT: 8080, TRUSTED_PROXIES: ['10.0.0.1', '::1'] })
    expect(readConfiguration({ ...filed, PORT: '9090' })).toMatchObject({
      port: 9090,
      smsToken: 'f3Qz81-kwVd0L2mB',
      trustedProxies: ['10.0.0.1', '::1'],
      brand: { product: 'Znak' },
      dataDir: join(directory, 'data'),
      demonstration: false,
    })
  })

  const unknown = 'in the file of SYGNET_CONFIG is not a configuration key of this version'

  test('OPS-13 a key that this version does not know is ignored with a warning, which names a near one', () => {
    const newer = { PASSKEY_ATTESTATION: 'on', SMTP_URLS: 'x', 'X\u001b[2J': 1, ['Y'.repeat(5000)]: {}, SCANNER: 'x' }
    expect(readConfiguration(inFile({ ...complete, ...newer })).warnings).toEqual([
      `PASSKEY_ATTESTATION ${unknown} and is ignored.`,
      `SMTP_URLS ${unknown} and is ignored; did you mean SMTP_URL?`,
      `X?[2J ${unknown} and is ignored.`,
      `${'Y'.repeat(60)} ${unknown} and is ignored.`,
      `SCANNER ${unknown} and is ignored.`,
    ])
    expect(readConfiguration(inFile(complete)).warnings).toEqual([])
  })

  test('OPS-13 a name that is nearly a key which is not set ends the start', () => {
    const correct = (name: string, key: string) => `${name} ${unknown}, and ${key} is not set: correct the name.`
    expect(errorsOf(inFile({ ...complete, MALWARE_SCANER: '/run/clamd.sock', TRUSTED_PROXYES: '10.0.0.1' }))).toEqual([
      correct('MALWARE_SCANER', 'MALWARE_SCANNER'),
      correct('TRUSTED_PROXYES', 'TRUSTED_PROXIES'),
    ])
    const { MAIL_FROM: _, ...rest } = complete
    expect(errorsOf(inFile({ ...rest, MAIL_FORM: 'portal@provider.example' }))).toEqual([
      correct('MAIL_FORM', 'MAIL_FROM'),
      'MAIL_FROM is not set: the sender of mails, such as portal@provider.example.',
    ])
    expect(readConfiguration({ ...complete, MALWARE_SCANER: 'x', MAIL_FORM: 'x', PATHS: 'x' }).warnings).toEqual([
      'MALWARE_SCANER in the environment is not a configuration key; did you mean MALWARE_SCANNER?',
    ])
  })

  test('OPS-13 the names of keys differ by more than two letters', () => {
    const near = keyNames.flatMap((a, i) =>
      keyNames.slice(i + 1).flatMap((b) => (editDistance(a, b) <= 2 ? `${a} ${b}` : [])),
    )
    // An older version would refuse a newer one's key; these have been there from the beginning.
    expect(near).toEqual([
      'PORT HOST',
      'METRICS_PORT METRICS_HOST',
      'SMTP_URL SMS_URL',
      'SMS_URL S3_URL',
      'S3_URL CSC_URL',
      'S3_URL TSA_URL',
      'CSC_URL TSA_URL',
    ])
  })

  test('is refused with an error each: a wrong value, no JSON, a missing file', () => {
    expect(errorsOf(inFile({ PROT: 1, PORT: true, HOST: { a: 1 }, SESSION_IDLE_SECONDS: 'x' }))).toEqual([
      'PORT in the file of SYGNET_CONFIG is neither text, number nor list of texts.',
      'HOST in the file of SYGNET_CONFIG is neither text, number nor list of texts.',
      'PROT in the file of SYGNET_CONFIG is not a configuration key of this version, and PORT is not set: correct the name.',
      'SESSION_IDLE_SECONDS is not a whole number from 180 to 604800.',
    ])
    for (const [content, problem] of [
      ['[1]', 'is not a JSON object of keys and values'],
      ['"x"', 'is not a JSON object of keys and values'],
      ['{ "SMS_TOKEN": canary }', 'is not JSON: see line 1, column 16'],
      ['{\n  "PORT": 1,\n  "HOST" "x"\n}', 'is not JSON: see line 3, column 10'],
      ['{\n  "PORT": 1', 'is not JSON: see line 2, column 12'],
      ['', 'is not JSON: see line 1, column 1'],
    ] as const)
      // Nothing else is said to be missing.
      expect(errorsOf(inFile(content))).toEqual([`SYGNET_CONFIG names a file that ${problem}.`])
    expect(errorsOf({ SYGNET_CONFIG: join(directory, 'none') })).toEqual([
      'SYGNET_CONFIG names a file that cannot be read (ENOENT).',
    ])
  })

  test('R82 a secret is read from its own file, and must not be set twice', () => {
    const { SMS_TOKEN: _, ...rest } = complete
    const SMS_TOKEN_FILE = file('own', complete.SMS_TOKEN)
    expect(readConfiguration({ ...rest, SMS_TOKEN_FILE }).smsToken).toBe(complete.SMS_TOKEN)
    for (const [given, error] of [
      [{ ...complete, SMS_TOKEN_FILE }, 'SMS_TOKEN and SMS_TOKEN_FILE are both set; set only one of them.'],
      [{ ...examples, MASTER_KEY_FILE: '/x' }, 'MASTER_KEY and MASTER_KEY_FILE are both set; set only one of them.'],
      [{ ...rest, SMS_TOKEN_FILE: join(directory, 'none') }, 'SMS_TOKEN_FILE cannot be read (ENOENT).'],
      [{ ...rest, SMS_TOKEN_FILE: file('empty', '\n') }, 'SMS_TOKEN_FILE names a file that is empty.'],
    ] as const)
      expect(errorsOf(given)).toEqual([error])
  })
})

test('OPS-3 ERR-5 features are switched off by name, with those that need them', () => {
  expect(readConfiguration({ FEATURES_OFF: 'seals, vouchers' }).featuresOff).toEqual(['seals', 'vouchers'])
  expect(errorsOf({ FEATURES_OFF: 'seal vuchers' })).toEqual([
    expect.stringMatching(/^FEATURES_OFF has seal, which is not a feature; features are registration, /),
    expect.stringMatching(/^FEATURES_OFF has vuchers, which is not a feature; /),
  ])
  const needed = 'FEATURES_OFF has signatures but not renewal, which needs it.'
  expect(errorsOf({ FEATURES_OFF: 'signatures' })).toEqual([needed])
  expect(readConfiguration({ FEATURES_OFF: 'signatures renewal' }).featuresOff).toHaveLength(2)
})

test('OPS-13 a feature that only a newer version knows is ignored with a warning', () => {
  expect(readConfiguration({ FEATURES_OFF: 'seals, newer' })).toMatchObject({
    featuresOff: ['seals'],
    warnings: ['FEATURES_OFF has newer, which is not a feature of this version, and is ignored.'],
  })
})

describe('APP-1 who makes what signing apps scan', () => {
  const jwk = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' })
  const keyFile = file('activation-key.json', JSON.stringify(jwk(2048)))
  const service = { APP_ACTIVATION_URL: 'https://sign.example/a', APP_ACTIVATION_TOKEN: complete.SMS_TOKEN }
  const of = (environment: Record<string, string>) => readConfiguration({ ...complete, ...environment }).appActivation

  test('APP-1 is the provider in production and the portal in the demonstration, unless configured', () => {
    expect(of({})).toEqual({ by: 'provider' })
    expect(readConfiguration({}).appActivation).toEqual({ by: 'portal', key: undefined })
    expect(of({ APP_ACTIVATION: 'service', ...service })).toEqual({
      by: 'service',
      url: service.APP_ACTIVATION_URL,
      token: service.APP_ACTIVATION_TOKEN,
    })
    expect(of({ APP_ACTIVATION: 'portal', APP_ACTIVATION_KEY_FILE: keyFile })).toMatchObject({ by: 'portal' })
    for (const option of ['provider', 'service', 'portal']) expect(errorsOf({ APP_ACTIVATION: option })).toEqual([])
  })

  test('APP-1 every setting that is missing, unusable or of another option is reported by its name', () => {
    const by = (option: string, more: Environment = {}) => errorsWith({ APP_ACTIVATION: option, ...more })
    expect(by('service')).toEqual([
      'APP_ACTIVATION_URL is not set: the address of the service that activates apps.',
      'APP_ACTIVATION_TOKEN is not set: the token for APP_ACTIVATION_URL.',
    ])
    expect(by('app')).toEqual(['APP_ACTIVATION is app; it can be provider, service, portal.'])
    expect(errorsWith(service)).toEqual([
      'APP_ACTIVATION_URL is set, but APP_ACTIVATION is provider: it is for service.',
      'APP_ACTIVATION_TOKEN is set, but APP_ACTIVATION is provider: it is for service.',
    ])
    expect(by('service', { ...service, APP_ACTIVATION_KEY_FILE: keyFile })).toEqual([
      'APP_ACTIVATION_KEY_FILE is set, but APP_ACTIVATION is service: it is for portal.',
    ])
    for (const [path, reason] of [
      [undefined, 'is not set: the public key for which the secrets of apps are encrypted.'],
      [file('short-key.json', JSON.stringify(jwk(1024))), 'cannot be used: it has less than 2048 bits.'],
      [join(directory, 'absent.json'), 'cannot be used: ENOENT'],
    ] as const)
      expect(by('portal', path ? { APP_ACTIVATION_KEY_FILE: path } : {})).toEqual([
        expect.stringContaining(`APP_ACTIVATION_KEY_FILE ${reason}`),
      ])
  })
})
