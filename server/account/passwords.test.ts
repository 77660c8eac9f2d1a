import { expect, onTestFinished, test } from 'vitest'
import * as account from '../../contract/account.ts'
import { enterStepUpCode, startStepUp } from '../../contract/step-up.ts'
import { changePassword, requestPasswordReset } from '../../contract/passwords.ts'
import { checkPasswordLink, setPassword } from '../../contract/password-link.ts'
import { limits } from '../../contract/limits.ts'
import { listSignatures } from '../../contract/signatures.ts'
import { blockCustomer, inviteCustomer, putCustomer } from '../../contract/provider/provider-api.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import {
  linkToken,
  makeCustomer,
  openBrowser,
  passPassword,
  signInAs,
  smsCode,
  type Person,
} from '../testing/browser.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { untilWaiting } from '../testing/lock-waits.ts'

const portal = await openPortal({ nodes: 2 })

const both = (password: string) => ({ newPassword: password, repeatPassword: password })
const newPassword = 'Nowe-Haslo-2027?'
let addresses = 0
const fresh = (node = 0) => openBrowser(portal, { address: `192.0.2.${++addresses % 250}`, node })

/** Asks for a reset link and takes it out of the mail. */
async function resetLink({ email }: Pick<Person, 'email'>) {
  await fresh().call(requestPasswordReset, { body: { email, locale: 'pl', botProof: crypto.randomUUID() } })
  await portal.deliver()
  return linkToken(portal, email)
}
const spendLink = (token: string, password = newPassword, node = 0) =>
  fresh(node).call(setPassword, { body: { token, password: both(password) } })
async function enterWrong({ login }: Person, times: number, address: string) {
  for (let i = 0; i < times; i++)
    await openBrowser(portal, { address }).call(account.signIn, {
      body: { login, password: 'Wrong-Password-1!', botProof: crypto.randomUUID() },
    })
}
const canSignIn = async ({ login }: Person, password: string) =>
  (await fresh().call(account.signIn, { body: { login, password, botProof: crypto.randomUUID() } })).status === 200
const countEntries = async ({ login }: Person, action: AuditAction) =>
  (await auditEntries(portal, { login, action })).length

test('PWD-1 R11 a customer who forgot the password gets a link by mail, sets a new one once, and signs in with it', async () => {
  const person = await makeCustomer(portal)
  const token = await resetLink(person)
  expect(portal.mails.find(({ to }) => to === person.email)!.text).toContain(
    `https://portal.example/setup-password/${token}`,
  )
  expect(await fresh().call(checkPasswordLink, { body: { token } })).toMatchObject({
    status: 200,
    body: { purpose: 'reset', login: person.login },
  })
  expect((await spendLink(token)).status).toBe(204)
  expect(await canSignIn(person, newPassword)).toBe(true)
  expect(await canSignIn(person, person.password)).toBe(false)
  await portal.deliver()
  expect(portal.mails.find(({ to }) => to === person.email)!.subject).toContain('hasło zostało zmienione')
  expect(await countEntries(person, 'password-set')).toBe(2)
})

test('PWD-1 VAL-3 a reset needs an e-mail and a proof of the bot check, which counts once', async () => {
  const browser = fresh()
  const requestReset = (body: unknown) =>
    browser
      .raw('POST', requestPasswordReset.path, body)
      .then(async (answer) => [
        answer.status,
        answer.status === 204 ? undefined : ((await answer.json()) as { code: string }).code,
      ])
  const proof = crypto.randomUUID()
  expect(await requestReset({ email: 'a@mail.example', locale: 'pl', botProof: proof })).toEqual([204, undefined])
  expect(await requestReset({ email: 'a@mail.example', locale: 'pl', botProof: proof })).toEqual([
    422,
    'bot-check-refused',
  ])
  expect(await requestReset({ email: 'a@mail.example', locale: 'pl', botProof: 'robot' })).toEqual([
    422,
    'bot-check-refused',
  ])
  expect(await requestReset({ email: 'a@mail.example', locale: 'pl' })).toEqual([400, 'invalid-input'])
  const empty = await browser.call(requestPasswordReset, { body: { email: '', locale: 'pl', botProof: 'x' } })
  expect(empty.problem.fields).toEqual([{ name: 'email', problem: 'required' }])
  const malformed = await browser.call(requestPasswordReset, {
    body: { email: 'a@mail.example, b@mail.example', locale: 'pl', botProof: 'x' },
  })
  expect(malformed.problem.fields).toEqual([{ name: 'email', problem: 'email-format' }])
})

test('R11 R119 a reset link dies with a whole sign-in, a new password and a new e-mail, not with the password alone', async () => {
  const ends: [string, (person: Person) => Promise<unknown>][] = [
    ['sign-in', (person) => signInAs(portal, person, fresh())],
    [
      'new password',
      async (person) => {
        const insider = await signInAs(portal, person, fresh())
        const token = await resetLink(person)
        await insider.call(changePassword, { body: { currentPassword: person.password, ...both(newPassword) } })
        return token
      },
    ],
    [
      'new e-mail',
      async ({ id, password: _, ...particulars }) => {
        const email = `moved.${particulars.email}`
        await fresh().call(putCustomer, { params: { customer: id }, body: { ...particulars, email } })
      },
    ],
  ]
  for (const [what, end] of ends) {
    const person = await makeCustomer(portal)
    const token = await resetLink(person)
    await passPassword(portal, person, fresh())
    expect([what, (await fresh().call(checkPasswordLink, { body: { token } })).status]).toEqual([what, 200])
    const second = await end(person)
    const dead = what === 'new password' ? [token, second as string] : [token]
    for (const link of dead) expect([what, (await spendLink(link)).problem?.code]).toEqual([what, 'link-expired'])
  }
})

test('R10 a scanner that looks at a link, by any method, leaves it as it is', async () => {
  const person = await makeCustomer(portal)
  const token = await resetLink(person)
  const scanner = fresh()
  for (const path of [`/setup-password/${token}`, `/en/setup-password/${token}`]) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PROPFIND']) {
      const answer = await scanner.raw(method, path)
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      for (const [, value] of answer.headers) expect(value).not.toContain(token)
    }
  }
  for (let i = 0; i < 5; i++) expect((await scanner.call(checkPasswordLink, { body: { token } })).status).toBe(200)
  const { rows } = await portal.owner.query(
    `select used_at, voided_at from links where token_hash = sha256($1::text::bytea)`,
    [token],
  )
  expect(rows).toEqual([{ used_at: null, voided_at: null }])
  expect((await spendLink(token)).status).toBe(204)
})

test('R10 PWD-2 a link is used once: of two browsers a hundred times at once, one sets its password', async () => {
  for (let round = 0; round < (exhaustive ? 4 : 1); round++) {
    const person = await makeCustomer(portal)
    const token = await resetLink(person)
    const passwords = Array.from({ length: 25 }, (_, i) => `Haslo-Numer-${String(i).padStart(2, '0')}!`)
    const hits = await fireTogether(
      portal,
      passwords.map((password) => shotOf(setPassword, { body: { token, password: both(password) } })),
    )
    const won = hits.flatMap(({ status }, i) => (status === 204 ? [passwords[i]!] : []))
    expect(won).toHaveLength(1)
    for (const { status, problem } of hits) if (status !== 204) expect(['link-used', 'busy']).toContain(problem.code)
    expect(await countEntries(person, 'password-set')).toBe(2)
    expect(await canSignIn(person, won[0]!)).toBe(true)
    expect((await spendLink(token)).problem.code).toBe('link-used')
  }
})

test('R11 PWD-1 a reset link lives for half an hour, R10 an invitation for seven days, to the second', async () => {
  const person = await makeCustomer(portal)
  const invited = samplePerson()
  const stop = new Date(Date.UTC(2027, 8, 9))
  const at = (seconds: number) => portal.clock.stopAt(new Date(stop.getTime() + seconds * 1000))
  onTestFinished(() => portal.clock.advance(0))
  await at(0)
  const reset = await resetLink(person)
  await fresh().call(putCustomer, { params: { customer: `c-${crypto.randomUUID()}` }, body: invited })
  await portal.deliver()
  const invitation = linkToken(portal, invited.email)
  for (const [token, life] of [
    [reset, limits.link.reset],
    [invitation, limits.link.invitation],
  ] as const) {
    await at(life - 1)
    expect((await fresh().call(checkPasswordLink, { body: { token } })).status).toBe(200)
    await at(life)
    expect((await fresh().call(checkPasswordLink, { body: { token } })).problem.code).toBe('link-expired')
    expect((await spendLink(token)).problem.code).toBe('link-expired')
  }
  expect([limits.link.reset, limits.link.invitation]).toEqual([1800, 7 * 86_400])
})

test('R9 a new password ends five sessions, a pending sign-in, its code and every link, on both nodes at once', async () => {
  for (const by of ['reset', 'change'] as const) {
    const person = await makeCustomer(portal)
    const insiders = []
    for (let i = 0; i < 5; i++) insiders.push(await signInAs(portal, person, openBrowser(portal, { node: i % 2 })))
    const step = await insiders[0]!.call(startStepUp, {
      body: { purpose: 'pair-app', object: crypto.randomUUID() },
    })
    await portal.deliver()
    const stepCode = smsCode(portal, person.phone)
    const stale = await resetLink(person)
    const { browser: pending } = await passPassword(portal, person, fresh())
    const code = smsCode(portal, person.phone)
    const token = await resetLink(person)

    const setter = insiders[4]!
    const done =
      by === 'reset'
        ? await spendLink(token)
        : await setter.call(changePassword, {
            body: { currentPassword: person.password, ...both(newPassword) },
          })
    expect(done.status).toBe(204)
    // The very next call of each fails.
    for (const insider of insiders)
      for (const node of [0, 1])
        if (insider.cookie) expect((await insider.call(listSignatures, {}, node)).status).toBe(401)
    expect(
      (await insiders[0]!.call(enterStepUpCode, { params: { id: step.body.id }, body: { code: stepCode } })).status,
    ).toBe(401)
    expect((await pending.call(account.enterSignInCode, { body: { code } })).status).toBe(401)
    expect((await pending.call(account.resendSignInCode)).status).toBe(401)
    for (const link of [stale, token])
      expect((await spendLink(link, 'Jeszcze-Inne-2028!')).problem.code).toMatch(/^link-(?:used|expired)$/)
    const { rows } = await portal.owner.query(
      `select (select count(*) from sessions where account_id = a.id)::int as sessions, (select count(*) from codes where account_id = a.id)::int as codes,
        (select count(*) from links where account_id = a.id and used_at is null and voided_at is null)::int as links from accounts a where login = $1`,
      [person.login],
    )
    expect(rows).toEqual([{ sessions: 0, codes: 0, links: 0 }])
    expect(await canSignIn(person, person.password)).toBe(false)
    expect(await canSignIn(person, newPassword)).toBe(true)
  }
})

test('R9 a sign-in with the old password that overlaps the reset does not outlive it', async () => {
  const person = await makeCustomer(portal)
  const token = await resetLink(person)
  const gate = await portal.owner.connect()
  onTestFinished(() => gate.release())
  await gate.query('begin')
  await gate.query('lock table sessions in share row exclusive mode')
  // The reset has changed the password and waits to end the sessions; now the old password is checked and found right.
  const reset = spendLink(token)
  await untilWaiting(portal)
  const late = fresh(1)
  const entering = late.call(account.signIn, { body: { login: person.login, password: person.password } })
  await untilWaiting(portal, 2)
  await gate.query('commit')
  expect((await reset).status).toBe(204)
  expect((await entering).problem.code).toBe('login-refused')
  expect(late.cookie).toBeUndefined()
  const { rows } = await portal.owner.query(
    'select from sessions s join accounts a on a.id = s.account_id where a.login = $1',
    [person.login],
  )
  expect(rows).toEqual([])
})

test('R9 a sign-in that began before the reset is ended by it, and a block by the provider is overtaken by none', async () => {
  for (const end of ['reset', 'block'] as const) {
    const person = await makeCustomer(portal)
    const token = await resetLink(person)
    const gate = await portal.owner.connect()
    await gate.query('begin')
    await gate.query('lock table sessions in share row exclusive mode')
    const early = fresh(1)
    const entering = early.call(account.signIn, { body: { login: person.login, password: person.password } })
    await untilWaiting(portal)
    const ending = end === 'reset' ? spendLink(token) : fresh().call(blockCustomer, { params: { customer: person.id } })
    await untilWaiting(portal, 2)
    await gate.query('commit')
    gate.release()
    await entering
    expect((await ending).status).toBeLessThan(300)
    await portal.deliver()
    expect((await early.call(account.resendSignInCode)).status).toBe(401)
    const { rows } = await portal.owner.query(
      'select from sessions s join accounts a on a.id = s.account_id where a.login = $1',
      [person.login],
    )
    expect(rows).toEqual([])
  }
})

test('R9 entering the code and setting a new password at the same moment end in one of two ways, and never in a fault', async () => {
  for (let round = 0; round < (exhaustive ? 8 : 3); round++) {
    const person = await makeCustomer(portal)
    const token = await resetLink(person)
    const { browser } = await passPassword(portal, person, fresh())
    const code = smsCode(portal, person.phone)
    const [set, entered] = await fireTogether(portal, [
      shotOf(setPassword, { body: { token, password: both(newPassword) } }, { node: 0 }),
      shotOf(account.enterSignInCode, { body: { code } }, { node: 1, cookie: browser.cookie }),
    ])
    // Signing in makes the link void; a new password ends the sign-in. No session is left where a password was set.
    expect([204, 422]).toContain(set!.status)
    expect([200, 401, 422]).toContain(entered!.status)
    const { rows } = await portal.owner.query(
      'select from sessions s join accounts a on a.id = s.account_id where a.login = $1',
      [person.login],
    )
    expect(rows).toHaveLength(set!.status === 204 ? 0 : 1)
  }
})

test('PWD-3 a change needs the current password, ends the session in every tab, and leads to the sign-in', async () => {
  const person = await makeCustomer(portal)
  const browser = await signInAs(portal, person, fresh())
  const otherBrowser = await signInAs(portal, person, fresh())
  const change = (currentPassword: string, password: string, repeatPassword = password) =>
    browser.call(changePassword, { body: { currentPassword, newPassword: password, repeatPassword } })
  expect(await change('Zle-Haslo-2026!', newPassword)).toMatchObject({
    status: 422,
    problem: { code: 'current-password-wrong' },
  })
  expect((await browser.call(account.readSession)).status).toBe(200)
  const done = await change(person.password, newPassword)
  expect(done.status).toBe(204)
  expect(done.cookie).toMatch(/^__Host-sygnet=;/)
  expect((await otherBrowser.call(account.readSession)).status).toBe(401)
  expect(await canSignIn(person, newPassword)).toBe(true)
  expect(await countEntries(person, 'password-changed')).toBe(1)
})

test('PWD-3 PWD-4 PWD-5 VAL-1 VAL-3 each form names its fields and their problems like the browser does', async () => {
  const person = await makeCustomer(portal)
  const browser = await signInAs(portal, person, fresh())
  const change = async (body: Record<string, unknown>) =>
    (await (await browser.raw('POST', changePassword.path, body)).json()) as { code: string; fields: unknown }
  const current = { currentPassword: person.password }
  expect(await change({ currentPassword: '', newPassword: '', repeatPassword: '' })).toMatchObject({
    code: 'invalid-input',
    fields: [
      { name: 'currentPassword', problem: 'current-password-required' },
      { name: 'newPassword', problem: 'required' },
      { name: 'repeatPassword', problem: 'required' },
    ],
  })
  expect((await change({ ...current, ...both('Za-krotkie-1') })).fields).toEqual([
    { name: 'newPassword', problem: 'password-rules' },
  ])
  expect((await change({ ...current, newPassword, repeatPassword: 'Inne-Haslo-2027!' })).fields).toEqual([
    { name: 'repeatPassword', problem: 'passwords-differ' },
  ])
  expect((await change({ ...current, ...both(newPassword), role: 'admin' })).fields).toEqual([
    { name: 'role', problem: 'unknown-field' },
  ])
  expect((await change({ ...current, newPassword: 1, repeatPassword: [] })).fields).toEqual([
    { name: 'newPassword', problem: 'required' },
    { name: 'repeatPassword', problem: 'required' },
  ])
  const token = await resetLink(person)
  const set = async (password: unknown) =>
    (await (await fresh().raw('POST', setPassword.path, { token, password })).json()) as { fields: unknown }
  expect((await set(both('Za-krotkie-1'))).fields).toEqual([
    { name: 'password.newPassword', problem: 'password-rules' },
  ])
  expect((await set({ newPassword, repeatPassword: 'Inne-Haslo-2027!' })).fields).toEqual([
    { name: 'password.repeatPassword', problem: 'passwords-differ' },
  ])
  // None of this spent the link or the password.
  expect((await spendLink(token)).status).toBe(204)
})

test('PWD-6 R13 a password from the list, of the customer’s own data or of the product’s name is refused at its field, and costs neither link nor session', async () => {
  const person = await makeCustomer(portal)
  const token = await resetLink(person)
  const browser = await signInAs(portal, person, fresh())
  const change = (password: string) =>
    browser.call(changePassword, { body: { currentPassword: person.password, ...both(password) } })
  const again = await resetLink(person)
  const localPart = person.email.split('@')[0]!
  for (const password of [
    'P@ssw0rd!2026x',
    'Haslo1234567!',
    'Wiśniewska-2026',
    'Ma1gorzat@-85-85',
    `${localPart.toUpperCase()}-x1!`,
    `${person.login}-X1!`,
    'Sygnet-2026-Sygnet!',
  ]) {
    const changed = await change(password)
    expect([password, changed.status, changed.problem.fields]).toEqual([
      password,
      400,
      [{ name: 'newPassword', problem: 'password-guessable' }],
    ])
    const set = await spendLink(again, password)
    expect([password, set.status, set.problem.fields]).toEqual([
      password,
      400,
      [{ name: 'password.newPassword', problem: 'password-guessable' }],
    ])
  }
  expect((await spendLink(token)).problem.code).toBe('link-expired')
  expect((await browser.call(account.readSession)).status).toBe(200)
  expect(await countEntries(person, 'password-changed')).toBe(0)
  expect((await spendLink(again)).status).toBe(204)
  expect(await canSignIn(person, newPassword)).toBe(true)

  // The first password, too, which an invitation sets.
  const invited = samplePerson()
  await fresh().call(putCustomer, { params: { customer: `c-${crypto.randomUUID()}` }, body: invited })
  await portal.deliver()
  const refused = await spendLink(linkToken(portal, invited.email), 'Qwerty123456!Q')
  expect(refused.problem.fields).toEqual([{ name: 'password.newPassword', problem: 'password-guessable' }])
})

test('PWD-3 R16 five wrong current passwords pause the change for a quarter of an hour, across sessions and nodes', async () => {
  const person = await makeCustomer(portal)
  const browsers = [
    await signInAs(portal, person, openBrowser(portal, { node: 0 })),
    await signInAs(portal, person, openBrowser(portal, { node: 1 })),
  ]
  const shots = Array.from({ length: 40 }, (_, i) =>
    shotOf(
      changePassword,
      { body: { currentPassword: `Zle-Haslo-${i}-2026!`, ...both(newPassword) } },
      { cookie: browsers[i % 2]!.cookie },
    ),
  )
  const hits = await fireTogether(portal, shots)
  expect(hits.filter(({ problem }) => problem.code === 'current-password-wrong')).toHaveLength(5)
  expect(hits.filter(({ problem }) => problem.code === 'too-many-attempts')).toHaveLength(35)
  const right = () =>
    browsers[1]!.call(changePassword, { body: { currentPassword: person.password, ...both(newPassword) } })
  expect(await right()).toMatchObject({ status: 429 })
  await portal.clock.advance(limits.signIn.pause.window - 60)
  for (const browser of browsers) await browser.call(account.extendSession)
  expect(await right()).toMatchObject({ status: 429 })
  await portal.clock.advance(61)
  expect((await right()).status).toBe(204)
})

test('PWD-5 R13 the current password and the five before it are refused, in any form of Unicode; the seventh is free again', async () => {
  const person = await makeCustomer(portal)
  const passwords = [person.password, ...Array.from({ length: 6 }, (_, i) => `Zażółć-Gęślą-${i}`)]
  for (const password of passwords.slice(1)) {
    // Three resets an hour are allowed.
    await portal.clock.advance(1200)
    expect((await spendLink(await resetLink(person), password)).status).toBe(204)
  }
  await portal.clock.advance(1200)
  const token = await resetLink(person)
  for (const [i, password] of passwords.toReversed().slice(0, 6).entries())
    for (const form of ['NFC', 'NFD'] as const)
      expect([i, (await spendLink(token, password.normalize(form))).problem.code]).toEqual([i, 'password-used-before'])
  const insider = await signInAs(portal, { ...person, password: passwords.at(-1)! })
  const again = await insider.call(changePassword, {
    body: { currentPassword: passwords.at(-1)!, ...both(passwords[3]!) },
  })
  expect(again.problem.code).toBe('password-used-before')
  expect(
    (
      await insider.call(changePassword, {
        body: { currentPassword: passwords.at(-1)!, ...both(passwords[0]!) },
      })
    ).status,
  ).toBe(204)
})

test('R13 PWD-4 a password of 128 characters is whole: none of its beginnings, and no other end, opens the account', async () => {
  const person = await makeCustomer(portal)
  const long = `aA1-${'żółć'.repeat(31).slice(1)}`
  expect((await spendLink(await resetLink(person), `${long}x`)).status).toBe(204)
  for (const typed of [long, `${long}y`, `${long}xx`, `${long}x`.slice(0, 72)])
    expect(await canSignIn(person, typed)).toBe(false)
  expect(await canSignIn(person, `${long}x`.normalize('NFD'))).toBe(true)
})

test('AUT-4 R12 a reset opens a blocked account for the new password, and the SMS code is still asked for', async () => {
  const person = await makeCustomer(portal)
  // Blocked the hard way: ten wrong passwords from two addresses.
  for (const address of ['203.0.113.1', '203.0.113.2']) await enterWrong(person, 5, address)
  const owner = openBrowser(portal, { address: '203.0.113.2' })
  expect((await passPassword(portal, person, fresh())).answer.problem.code).toBe('account-blocked')
  const token = await resetLink(person)
  expect((await owner.call(setPassword, { body: { token, password: both(newPassword) } })).status).toBe(204)
  // At once, at the address whose attempts were used up.
  const { answer: entered } = await passPassword(portal, { ...person, password: newPassword }, owner)
  expect(entered).toMatchObject({ status: 200, body: { channel: 'sms' } })
  expect((await owner.call(account.readSession)).status).toBe(401)
  expect((await owner.call(account.enterSignInCode, { body: { code: smsCode(portal, person.phone) } })).status).toBe(
    200,
  )
})

test('AUT-4 R12 a customer who is signed in while wrong passwords block the account unblocks it by changing the password', async () => {
  const person = await makeCustomer(portal)
  const insider = await signInAs(portal, person, fresh())
  for (let i = 0; i < 10; i++) await enterWrong(person, 1, `203.0.113.${10 + i}`)
  const enter = async (password: string) => (await passPassword(portal, { ...person, password }, fresh())).answer
  expect((await enter(person.password)).problem.code).toBe('account-blocked')
  const changed = await insider.call(changePassword, {
    body: { currentPassword: person.password, ...both(newPassword) },
  })
  expect(changed.status).toBe(204)
  expect(await enter(newPassword)).toMatchObject({ status: 200, body: { channel: 'sms' } })
  expect((await insider.call(account.readSession)).status).toBe(401)
})

test('AUT-4 R12 after the reset one typing mistake does not block the account again', async () => {
  const person = await makeCustomer(portal)
  for (const address of ['203.0.113.3', '203.0.113.4']) await enterWrong(person, 5, address)
  expect((await spendLink(await resetLink(person))).status).toBe(204)
  expect(await canSignIn(person, 'Wrong-Password-1!')).toBe(false)
  expect(await canSignIn(person, newPassword)).toBe(true)
})

test('R12 AUT-4 nothing but a new password opens a blocked account, not even the provider’s update of it or a day’s wait', async () => {
  const person = await makeCustomer(portal)
  await fresh().call(blockCustomer, { params: { customer: person.id } })
  const { id, password, ...particulars } = person
  await fresh().call(putCustomer, { params: { customer: id }, body: particulars })
  expect((await fresh().call(inviteCustomer, { params: { customer: id } })).problem.code).toBe('already-active')
  await portal.clock.advance(2 * 86_400)
  expect((await fresh().call(account.signIn, { body: { login: person.login, password } })).problem.code).toBe(
    'account-blocked',
  )
})

test('R12 a reset does not clear the count of wrong codes', async () => {
  const person = await makeCustomer(portal)
  for (let i = 0; i < 2; i++) {
    const { browser } = await passPassword(portal, person, fresh())
    const right = Number(smsCode(portal, person.phone))
    for (let n = 1; n <= 5; n++)
      await browser.call(account.enterSignInCode, { body: { code: String((right + n) % 1_000_000).padStart(6, '0') } })
  }
  expect((await spendLink(await resetLink(person))).status).toBe(204)
  const refused = await fresh().call(account.signIn, { body: { login: person.login, password: newPassword } })
  expect(refused).toMatchObject({ status: 429, problem: { code: 'too-many-attempts' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
})

test('PWD-2 R10 bad, used and expired links are distinguished', async () => {
  const person = await makeCustomer(portal)
  const check = async (token: string) => (await fresh().call(checkPasswordLink, { body: { token } })).problem.code
  expect(await check('x'.repeat(43))).toBe('link-unknown')
  expect(await check('x')).toBe('invalid-input')
  const older = await resetLink(person)
  const newer = await resetLink(person)
  await spendLink(newer)
  expect(await check(older)).toBe('link-expired')
  expect(await check(newer)).toBe('link-used')
})

test('R9 R16 two changes of the password at once end with one of them, and the other one is refused', async () => {
  const person = await makeCustomer(portal)
  const browsers = [await signInAs(portal, person, fresh()), await signInAs(portal, person, fresh())]
  const passwords = ['Haslo-Pierwsze-1!', 'Haslo-Drugie-22!']
  const hits = await fireTogether(
    portal,
    browsers.map(({ cookie }, i) =>
      shotOf(
        changePassword,
        { body: { currentPassword: person.password, ...both(passwords[i]!) } },
        { cookie, node: i },
      ),
    ),
  )
  const won = hits.flatMap(({ status }, i) => (status === 204 ? [passwords[i]!] : []))
  expect(won).toHaveLength(1)
  expect(
    hits.every(({ status, problem }) => status === 204 || status === 401 || problem.code === 'current-password-wrong'),
  ).toBe(true)
  expect(await canSignIn(person, won[0]!)).toBe(true)
})
