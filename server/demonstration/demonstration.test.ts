import { join } from 'node:path'
import fc from 'fast-check'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { getActivation } from '../../contract/provider/provider-activations.ts'
import { confirmSignaturePairing, startSignaturePairing } from '../../contract/signatures.ts'
import { fromBase32, totp } from '../../pki/totp.ts'
import { activationBackOffice } from '../../provider/back-office/activation-back-office.ts'
import { portalClient } from '../../provider/portal-client.ts'
import { openAppActivations } from '../../provider/signing-service/activation-service.ts'
import { openSigningKeys } from '../../provider/signing-service/signing-keys.ts'
import { chooseAppActivation } from '../adapters/choose-adapters.ts'
import type { Mail } from '../platform/ports.ts'
import { openBrowser } from '../testing/browser.ts'
import { openPortalWithProvider, folderOfFile } from '../testing/open-portal.ts'
import { now as portalTime } from '../testing/portal-nodes.ts'
import { shownSecret } from '../testing/samples/activation-samples.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { insertStepUp } from '../testing/samples/sample-seals.ts'
import { words } from '../testing/words.ts'
import { messageBox, serveMessageBox } from './demo-messages.ts'

const now = new Date('2026-11-21T13:05:00.000Z')

function served(options: Partial<Parameters<typeof messageBox>[0]> = {}) {
  const box = messageBox({ now: () => now, ...options })
  const app = Fastify()
  serveMessageBox(app, box)
  return {
    box,
    get: (url: string, host = 'portal.example') => app.inject({ url, headers: { host } }),
    [Symbol.asyncDispose]: () => app.close(),
  }
}

const mail: Mail = {
  id: 'm1',
  to: 'anna@example.org',
  subject: 'Ustaw hasło',
  text: 'Otwórz: https://portal.example/setup-password/abc',
  html: '<p>x</p>',
}
const sms = { id: 's1', to: '+48600100417', text: 'Sygnet: kod do zalogowania sie: 123456.\n@portal.example #123456' }

test('the JSON lists messages newest first, with exactly five fields', async () => {
  await using demo = served()
  await demo.box.mail.send(mail)
  await demo.box.sms.send(sms)
  const answer = await demo.get('/demo/messages.json')
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  expect(answer.json()).toEqual([
    { channel: 'sms', to: '+48600100417', subject: null, text: sms.text, sentAt: '2026-11-21T13:05:00.000Z' },
    {
      channel: 'mail',
      to: 'anna@example.org',
      subject: 'Ustaw hasło',
      text: mail.text,
      sentAt: '2026-11-21T13:05:00.000Z',
    },
  ])
})

test('the box keeps the last messages only', async () => {
  await using demo = served({ keep: 3 })
  for (let i = 0; i < 10; i++) await demo.box.sms.send({ ...sms, id: `s${i}`, to: `+4860010041${i}` })
  expect(demo.box.messages().map(({ to }) => to)).toEqual(['+48600100419', '+48600100418', '+48600100417'])
})

test('R92 a mail goes on to the real port, and a repeated delivery is shown once', async () => {
  const passed: Mail[] = []
  let closed = 0
  const real = {
    async send(sent: Mail) {
      passed.push(sent)
      if (passed.length === 1) throw new Error('not now')
    },
    async close() {
      closed += 1
    },
  }
  await using demo = served({ mail: real })
  await expect(demo.box.mail.send(mail)).rejects.toThrow('not now')
  await demo.box.mail.send(mail)
  await demo.box.mail.close()
  expect(passed).toEqual([mail, mail])
  expect(closed).toBe(1)
  expect(demo.box.messages()).toHaveLength(1)
})

test('R64 the page has no script, and shows codes by themselves and mails in a sandbox', async () => {
  await using demo = served()
  const empty = await demo.get('/demo/messages')
  expect(empty.body).toContain('Nie ma jeszcze żadnej wiadomości')
  expect(empty.body).toContain('<span lang="en">No messages yet')
  await demo.box.sms.send(sms)
  await demo.box.mail.send(mail)
  const { headers, body } = await demo.get('/demo/messages')
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self';/)
  expect(body).not.toMatch(/<script|style=|<style|\son\w+=/i)
  expect(body).toContain('<link rel="stylesheet" href="/demo/messages.css">')
  expect((await demo.get('/demo/messages.css')).headers['content-type']).toMatch(/^text\/css/)
  expect(body).toContain('<strong>123456</strong>')
  expect(body).toContain('<iframe sandbox loading="lazy" title="E-mail" src="/demo/messages/mail/m1">')
  const frame = await demo.get('/demo/messages/mail/m1')
  expect(frame.body).toBe(mail.html)
  expect(frame.headers['content-type']).toMatch(/^text\/html/)
  expect(frame.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none';/)
  expect((await demo.get('/demo/messages/mail/m2')).statusCode).toBe(404)
})

const linksOf = (html: string) => [...html.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => href)

test('R66 a link of this host can be followed, any other is text', async () => {
  await using demo = served()
  const ours = ['https://portal.example/setup-password/abc?x=1', 'http://portal.example/b#c']
  const foreign =
    words(String.raw`https://evil.example/ https://portal.example.evil.example/ https://portal.example:8443/ https://portal.example@evil.example/
    https://evil@portal.example/ https://evil.example\@portal.example/ javascript:alert(1) //evil.example/ data:text/html,x https://`)
  await demo.box.mail.send({ ...mail, text: [...ours, ...foreign].join('\n') })
  const { body } = await demo.get('/demo/messages')
  expect(linksOf(body)).toEqual(ours)
  expect(linksOf((await demo.get('/demo/messages', 'other.example')).body)).toEqual([])
})

test('R76 for every message content, the page has only its own elements', async () => {
  await using demo = served({ keep: 1 })
  const page = async (text: string, id: string) => {
    await demo.box.mail.send({ ...mail, id, to: text, subject: text, text })
    return (await demo.get('/demo/messages')).body
  }
  // The address of the frame has the id of the message, which is another each time.
  const tagsOf = (html: string) => html.replaceAll(/(?<=\/mail\/)\w+(%20\d+)?(?=")/g, 'id').match(/<[^>]*>?/g)
  const harmless = tagsOf(await page('Anna', 'harmless'))
  let count = 0
  const anyText = fc.oneof(
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      '</li></ol></main>',
      '<!--',
      '&lt;b&gt;',
      'https://evil.example/"onclick=x',
    ),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'<>"\'&/=! a') }),
  )
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      expect(tagsOf(await page(text, `hostile ${count++}`))).toEqual(harmless)
    }),
    { numRuns: 300 },
  )
})

const directory = folderOfFile()
const activations = await openAppActivations({ directory, baseUrl: 'http://127.0.0.1/app', now: () => new Date() })
const appActivation = chooseAppActivation(
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
  const { key } = shownSecret((await browser.call(startSignaturePairing, { params: { id } })).body)
  await backOffice.work()
  expect(signingKeys.factors(signature)).toEqual({ pin: '1234' })
  const code = totp(fromBase32(key)!, await portalTime(portal.db))
  await browser.call(confirmSignaturePairing, { params: { id }, body: { code } })
  await backOffice.work()

  const { body } = await openBrowser(portal).call(getActivation, { params: { signature } })
  expect(body).toMatchObject({ secret: null, pairedAt: expect.any(String) as string })
  const otpSecret = Buffer.from(fromBase32(key)!).toString('base64')
  expect((await openSigningKeys(folder)).factors(signature)).toEqual({ pin: '1234', otpSecret })
})
