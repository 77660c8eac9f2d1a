import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { limits } from '../contract/limits.ts'
import { demonstrationBrand } from './brand.ts'
import { readConfiguration, Unstartable } from './configuration.ts'

const directory = mkdtempSync(join(tmpdir(), 'sygnet-configuration-'))
afterAll(() => rmSync(directory, { recursive: true }))
const file = (name: string, text: string) => {
  writeFileSync(join(directory, name), text)
  return join(directory, name)
}

const brandFile = file('brand.json', JSON.stringify({ ...demonstrationBrand, product: 'Znak' }))

/** A provider's own portal, complete. */
const complete = {
  DEMONSTRATION: 'off',
  PUBLIC_URL: 'https://portal.example',
  DATABASE_URL: 'postgres://sygnet@db.example/sygnet',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'portal@provider.example',
  SMS_URL: 'https://sms.example/send',
  SMS_TOKEN: 'token',
  BRAND_FILE: brandFile,
}

/** The sentences with which a start is refused. */
function mistakesOf(environment: Record<string, string | undefined>): string[] {
  try {
    readConfiguration(environment)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(Unstartable)
    return (error as Error).message.split('\n')
  }
}

test('OPS-1 without any variable the demonstration starts, on this machine only', () => {
  expect(readConfiguration({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    demonstration: true,
    databaseUrl: undefined,
    sms: 'message-box',
    botCheck: 'altcha',
    assets: '/assets/',
  })
  expect(readConfiguration({ PORT: ' 8080 ', HOST: '', TRUSTED_PROXIES: ' ' })).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    trustedProxies: [],
  })
})

test('OPS-3 a provider’s own portal is read as it is written, and the rest has the numbers of the specification', () => {
  const read = readConfiguration({
    ...complete,
    TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16 ::1',
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
    sessionIdle: 600,
    sessionAbsolute: limits.session.absolute,
    smsPerNumber: limits.code.sendsPerRecipient.limit,
    smsPerAddress: limits.code.sendsPerAddress.limit,
  })
  expect(readConfiguration({ ...complete, PUBLIC_URL: 'https://portal.example/' }).publicUrl).toBe(
    'https://portal.example',
  )
})

describe('a mistake is told in a sentence that names its variable', () => {
  const cases: [Record<string, string | undefined>, string][] = [
    [{ PORT: 'eighty' }, 'PORT is not a number from 0 to 65535.'],
    [{ PORT: '65536' }, 'PORT is not a number from 0 to 65535.'],
    [{ DEMONSTRATION: 'yes' }, 'DEMONSTRATION is yes; it can be on, off.'],
    [{ PUBLIC_URL: undefined }, 'PUBLIC_URL is not set to the https:// address that customers use.'],
    [{ PUBLIC_URL: 'http://portal.example' }, 'PUBLIC_URL is not set to the https:// address that customers use.'],
    [{ PUBLIC_URL: 'https://portal.example/app' }, 'PUBLIC_URL must be an origin, without a path.'],
    [{ PUBLIC_URL: 'https://user:secret@portal.example' }, 'PUBLIC_URL must be an origin, without a path.'],
    [{ PUBLIC_URL: 'https://portal.example?x=1' }, 'PUBLIC_URL must be an origin, without a path.'],
    [
      { DATABASE_URL: 'mysql://db.example' },
      'DATABASE_URL is not an address that begins with postgres:// or postgresql://.',
    ],
    [
      { DATABASE_OWNER_URL: 'db.example' },
      'DATABASE_OWNER_URL is not an address that begins with postgres:// or postgresql://.',
    ],
    [{ SMTP_URL: undefined, MAIL_FROM: undefined }, 'SMTP_URL is not set: mails have no way out.'],
    [{ SMTP_URL: 'mail.example:25' }, 'SMTP_URL is not an address that begins with smtp:// or smtps://.'],
    [{ MAIL_FROM: undefined }, 'MAIL_FROM is not set: the sender of mails, such as portal@provider.example.'],
    [{ SMS_GATEWAY: 'pigeon' }, 'SMS_GATEWAY is pigeon; it can be generic, smsapi, message-box.'],
    [{ SMS_GATEWAY: 'message-box' }, 'SMS_GATEWAY=message-box is for the demonstration only.'],
    [{ SMS_URL: undefined }, 'SMS_URL is not set: the address of the SMS gateway.'],
    [{ SMS_URL: 'ftp://sms.example' }, 'SMS_URL is not an address that begins with https:// or http://.'],
    [{ SMS_TOKEN: ' ' }, 'SMS_TOKEN is not set: the token of the SMS gateway.'],
    [{ BOT_CHECK: 'guess' }, 'BOT_CHECK is guess; it can be altcha, turnstile, hcaptcha, recaptcha.'],
    [
      { BOT_CHECK: 'turnstile', BOT_CHECK_SECRET: 's' },
      'BOT_CHECK_SITE_KEY is not set: the public key of the bot check.',
    ],
    [{ BOT_CHECK: 'turnstile', BOT_CHECK_SITE_KEY: 'k' }, 'BOT_CHECK_SECRET is not set: the secret of the bot check.'],
    [{ COUNTRY_LOOKUP_URL: 'somewhere' }, 'COUNTRY_LOOKUP_URL is not an address that begins with https:// or http://.'],
    [
      { BRAND_FILE: undefined },
      'BRAND_FILE is not set: the portal would show the names and links of the demonstration.',
    ],
    [{ METRICS_PORT: 'many' }, 'METRICS_PORT is not a whole number from 0 on.'],
    [{ METRICS_PORT: '70000' }, 'METRICS_PORT is not a number from 0 to 65535.'],
    [
      { METRICS_PORT: '3000' },
      'METRICS_PORT is the same as PORT, where customers come; figures need a port of their own.',
    ],
    [{ TRACES_URL: 'collector:4318' }, 'TRACES_URL is not an address that begins with https:// or http://.'],
    [{ TRACES_PERCENT: '101' }, 'TRACES_PERCENT is more than 100.'],
    [{ STOP_DELAY_SECONDS: '25' }, 'STOP_DELAY_SECONDS is more than 20, and a node should be gone after 30.'],
    [{ SESSION_IDLE_SECONDS: '60' }, 'SESSION_IDLE_SECONDS is not a whole number from 180 on.'],
    [{ SESSION_ABSOLUTE_SECONDS: '1e9.5' }, 'SESSION_ABSOLUTE_SECONDS is not a whole number from 180 on.'],
    [
      { SESSION_IDLE_SECONDS: '900', SESSION_ABSOLUTE_SECONDS: '600' },
      'SESSION_ABSOLUTE_SECONDS is less than SESSION_IDLE_SECONDS.',
    ],
    [{ SMS_PER_NUMBER: '0' }, 'SMS_PER_NUMBER is not a whole number from 1 on.'],
    [{ SMS_PER_ADDRESS: '-1' }, 'SMS_PER_ADDRESS is not a whole number from 1 on.'],
    [{ DATABASE_CONNECTIONS: 'many' }, 'DATABASE_CONNECTIONS is not a whole number from 2 on.'],
    ...['nginx', '10.0.0.0/0', '10.0.0.0/33', '10.0.0', '::1/129', '10.0.0.0/8/8', 'loopback', '*'].map(
      (proxy): [Record<string, string>, string] => [
        { TRUSTED_PROXIES: `10.0.0.1 ${proxy}` },
        `TRUSTED_PROXIES has ${proxy}, which is neither an address nor a network such as 10.0.0.0/8.`,
      ],
    ),
    ...['assets', '/assets', 'assets/', '/', '//cdn.example/', 'https://cdn.example/', '/../', '/a"b/'].map(
      (assets): [Record<string, string>, string] => [
        { ASSETS_URL: assets },
        'ASSETS_URL must be a path that begins and ends with /, such as /assets/.',
      ],
    ),
  ]

  test.each(cases)('OPS-3 R82 %j', (wrong, sentence) => {
    expect(mistakesOf({ ...complete, ...wrong })).toEqual([sentence])
  })

  test('OPS-3 all of them are told at once', () => {
    expect(mistakesOf({ DEMONSTRATION: 'off', PORT: '-1', ASSETS_URL: 'x' }).length).toBeGreaterThan(6)
  })

  test('R82 R3 a demonstration, which shows every code, is not opened to the network', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.10', 'portal.example', '127.0.0.1.evil.example', '128.0.0.1'])
      expect(mistakesOf({ HOST: host })).toEqual([
        'HOST is not a loopback address, but DEMONSTRATION is on, which shows every code and link to anyone; set DEMONSTRATION=off.',
      ])
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) expect(mistakesOf({ HOST: host })).toEqual([])
  })

  test('OPS-3 a brand that is absent, no JSON or incomplete is told with the reason and the place', () => {
    const mistakeOf = (path: string) =>
      mistakesOf({ ...complete, BRAND_FILE: path }).filter((one) => one.includes('cannot be read'))
    expect(mistakeOf(join(directory, 'none.json'))).toEqual([expect.stringContaining('ENOENT')])
    expect(mistakeOf(file('broken.json', '{'))).toEqual([expect.stringContaining('JSON')])
    expect(mistakeOf(file('short.json', JSON.stringify({ ...demonstrationBrand, links: {} })))).toEqual([
      expect.stringContaining('links.renewal'),
    ])
    expect(mistakeOf(file('more.json', JSON.stringify({ ...demonstrationBrand, extra: 1 })))).toEqual([
      expect.stringContaining('extra'),
    ])
  })

  test('R82 no sentence repeats a secret', () => {
    const told = mistakesOf({
      ...complete,
      SMTP_URL: 'http://user:canary@mail.example',
      DATABASE_URL: 'canary',
      SMS_URL: 'canary',
      PUBLIC_URL: 'https://canary@x.example',
    })
    expect(told.length).toBeGreaterThan(3)
    expect(told.join()).not.toContain('canary')
  })
})
