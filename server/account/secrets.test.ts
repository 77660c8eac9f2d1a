import { Writable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as account from '../../contract/account.ts'
import { checkPasswordLink, setPassword } from '../../contract/password-link.ts'
import { requestPasswordReset } from '../../contract/passwords.ts'
import { putCustomer } from '../../contract/provider/provider-customers.ts'
import { startSignaturePairing } from '../../contract/signatures.ts'
import { enterStepUpCode, startStepUp } from '../../contract/step-up.ts'
import { logger } from '../platform/observability/log.ts'
import { openBrowser } from '../testing/browser.ts'
import { openTestPortal, samplePerson } from '../testing/portal-nodes.ts'
import { openTestProvider } from '../testing/provider.ts'
import { shownSecret } from '../testing/samples/activation-samples.ts'
import { dumpDatabase, findIn } from '../testing/samples/canaries.ts'
import { linkToken, smsCode } from '../testing/sent-messages.ts'
import { bothFields, replacePassword, spendLink } from '../testing/test-customers.ts'

test('R3 no code, token, link or password is found in the database, in the logs, in an answer or in another customer’s mail', async () => {
  const logs: string[] = []
  const stream = new Writable({ write: (chunk, _encoding, done) => (logs.push(String(chunk)), done()) })
  const portal = await openTestPortal({ nodes: 2, logger: { ...(logger as object), level: 'trace', stream } })
  onTestFinished(() => portal.close())
  const provider = await openTestProvider(portal)

  const answers: string[] = []
  const realFetch = globalThis.fetch
  const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const answer = await realFetch(...request)
    // The session's token is in Set-Cookie, and there alone.
    const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie')
    answers.push(`${answer.status} ${JSON.stringify(headers)} ${await answer.clone().text()}`)
    return answer
  })
  onTestFinished(() => fetching.mockRestore())

  const secrets = new Map<string, string>()
  const keep = (what: string, secret: string) => {
    secrets.set(`${what} ${secrets.size}`, secret)
    return secret
  }
  let cookies = 0
  const keepCookie = () => keep(`session ${++cookies}`, browser.cookie!.split('=')[1]!)
  const code = (what: string) => keep(what, smsCode(portal, person.phone))
  const passwords = ['Kanarek-Pierwszy-1!', 'Kanarek-Drugi-22?', 'Kanarek-Trzeci-333%', 'Kanarek-Zly-4444$'].map(
    (password) => keep('password', password),
  )
  const [first, second, third, wrong] = passwords as [string, string, string, string]
  const dumps: string[] = []

  const person = { ...samplePerson(), id: 'canary' }
  const { id, ...particulars } = person
  const otherCustomer = samplePerson()
  const browser = openBrowser(portal)
  for (const [customer, body] of [
    [id, particulars],
    ['other', otherCustomer],
  ] as const)
    await browser.call(putCustomer, { params: { customer }, body })
  // While messages wait, and after they are gone.
  dumps.push(await dumpDatabase(portal.owner))
  await portal.deliver()
  const invitation = keep('invitation', linkToken(portal, person.email))
  await browser.raw('GET', `/setup-password/${invitation}`, undefined, { referer: 'https://mail.example/' })
  await browser.call(checkPasswordLink, { body: { token: invitation } })
  const differing = { ...bothFields(first), repeatPassword: wrong }
  await browser.call(setPassword, { body: { token: invitation, password: differing } })
  await spendLink(browser, invitation, first)

  await browser.call(account.signIn, { body: { login: person.login, password: wrong } })
  await browser.raw('POST', account.signIn.path, `{"login":"${person.login}","password":"${first}"`)
  await browser.raw('POST', account.signIn.path, { login: person.login, password: first, surplus: wrong })
  await browser.call(account.signIn, { body: { login: person.login, password: first } })
  keepCookie()
  await portal.deliver()
  code('replaced code')
  await portal.clock.advance(61)
  await browser.call(account.resendSignInCode)
  dumps.push(await dumpDatabase(portal.owner))
  await portal.deliver()
  const signInCode = code('sign-in code')
  await browser.call(account.enterSignInCode, {
    body: { code: String((Number(signInCode) + 1) % 1_000_000).padStart(6, '0') },
  })
  expect((await browser.call(account.enterSignInCode, { body: { code: signInCode } })).status).toBe(200)
  keepCookie()
  await browser.call(account.extendSession)
  keepCookie()

  const { id: signature } = await provider.give(person)
  await browser.call(startSignaturePairing, { params: { id: signature } })
  const step = await browser.call(startStepUp, { body: { purpose: 'pair-app', object: signature } })
  await portal.deliver()
  await browser.call(enterStepUpCode, { params: { id: step.body.id }, body: { code: code('step-up code') } })
  keepCookie()
  const pairing = await browser.call(startSignaturePairing, { params: { id: signature } })
  // Shown to its owner, once, in this answer.
  const shown = answers.pop()!
  expect(findIn(shown, shownSecret(pairing.body).key)).not.toEqual([])
  keep('pairing key', shownSecret(pairing.body).key)

  await replacePassword(browser, wrong, second)
  await replacePassword(browser, first, second)
  await browser.call(requestPasswordReset, {
    body: { email: person.email, locale: 'pl', botProof: keep('bot proof', crypto.randomUUID()) },
  })
  dumps.push(await dumpDatabase(portal.owner))
  await portal.deliver()
  const reset = keep('reset link', linkToken(portal, person.email))
  await spendLink(browser, reset, third)
  await spendLink(browser, reset, third)
  await browser.call(account.readSession)
  await browser.call(account.signOut)
  await portal.deliver()
  dumps.push(await dumpDatabase(portal.owner))

  expect(secrets.size).toBeGreaterThanOrEqual(15)
  expect(dumps.join('').length).toBeGreaterThan(20_000)
  expect(logs.length).toBeGreaterThan(20)
  const mailsToOthers = portal.mails.filter(({ to }) => to !== person.email).map((mail) => JSON.stringify(mail))
  const textsToOthers = portal.texts.filter(({ to }) => to !== person.phone).map((text) => JSON.stringify(text))
  expect(mailsToOthers.length).toBeGreaterThan(0)
  const mailsAtAll = portal.mails.map((mail) => JSON.stringify(mail))
  const places = { database: dumps, logs, answers, mails: mailsToOthers, texts: textsToOthers }
  const found: string[] = []
  for (const [what, secret] of secrets) {
    for (const [location, texts] of Object.entries(places))
      for (const text of texts)
        if (findIn(text, secret).length) found.push(`${what} in ${location}: ${text.slice(0, 200)}`)
    // Passwords and codes are in no mail at all; links are in their owner's.
    if (!/link|invitation/.test(what) && mailsAtAll.some((mail) => findIn(mail, secret).length))
      found.push(`${what} in a mail`)
  }
  expect(found).toEqual([])
  // Who signs in is not in the logs either (R86).
  for (const personal of [person.email, person.login, person.phone, person.surname])
    expect(findIn(logs.join(''), personal)).toEqual([])
})
