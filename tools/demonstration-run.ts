import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { demonstrationPassword, people } from '../provider/demonstration-people.ts'

const root = join(import.meta.dirname, '..')
/** As `npm start` has it: what the last start compiled need not be compiled again. */
const compiled = join(root, 'node_modules/.cache/sygnet/compiled')

/** Only ends the wait for what never comes. */
const patienceMs = 60_000

type Message = { channel: 'mail' | 'sms'; to: string; subject: string | null; text: string; sentAt: string }

/** What a running demonstration sends; what it has sent so far is passed over. */
export async function messagesOf(origin: string) {
  const messages = async () => (await (await fetch(`${origin}/demo/messages.json`)).json()) as Message[]
  /** What has been asked for already; what the start itself sent counts as such. */
  const taken = new Set((await messages()).map((message) => JSON.stringify(message)))

  /** What the pattern holds in a message to somebody that has not been asked for yet, as soon as it is there. */
  async function next(to: string, holds: RegExp): Promise<string> {
    for (const began = Date.now(); Date.now() - began < patienceMs; await pause(25)) {
      const found = (await messages()).find(
        (message) => message.to === to && holds.test(message.text) && !taken.has(JSON.stringify(message)),
      )
      if (found) {
        taken.add(JSON.stringify(found))
        return holds.exec(found.text)![1]!
      }
    }
    throw new Error(`No message like ${holds} reached ${to}.`)
  }

  return {
    messages,
    /** The code of an SMS that has not been asked for yet. */
    smsCode: (to: string) => next(to, /#(\d{6})$/),
    /** The code in a mail that has not been asked for yet. */
    mailedCode: (to: string) => next(to, /: (\d{6})$/m),
    /** The address in a mail that has not been asked for yet. */
    mailedLink: (to: string) => next(to, /(http:\S+\/setup-password\/[\w-]+)/),
    /** The access code in a mail about a document that has not been asked for yet. */
    accessCode: (to: string, document: string) =>
      next(to, new RegExp(`${document}[^]*?\\b([0-9A-Z]{4}(?:-[0-9A-Z]{4}){3})\\b`)),
  }
}

/** A running demonstration: its address, and its messages. */
export type DemonstrationRun = { origin: string } & Awaited<ReturnType<typeof messagesOf>>

/** The product itself as a process of its own, on a free port, with its demonstration. */
export async function startDemonstration(environment: { DATA_DIR: string; [variable: string]: string }) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [join(root, 'server/main.ts')], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled, ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const heard: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => heard.push(text.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    const listen = () => {
      if (heard.join('').includes(`${origin}/demo/messages`)) resolve()
    }
    for (const stream of [child.stdout, child.stderr]) stream.on('data', listen)
    child.once('exit', (code) => reject(new Error(`The portal ended with ${code}:\n${heard.join('').slice(-10_000)}`)))
  })
  return {
    origin,
    ...(await messagesOf(origin)),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

/** A customer of the demonstration by login, with the password that all of them share. */
export function customerOf(login: string) {
  const found = people.find((person) => person.login === login)
  if (!found) throw new Error(`The demonstration has no customer ${login}.`)
  return { ...found, password: demonstrationPassword }
}

/** Fills in the login page that is open, up to the SMS dialog. */
export async function passPassword(page: Page, login: string, password = customerOf(login).password) {
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill(password)
  await page.locator('form button[type=submit]:enabled').click()
}

/** Fills in the code of the SMS that has just been sent; six digits send themselves. */
export async function enterSmsCode(page: Page, run: DemonstrationRun, login: string) {
  const field = page.locator('dialog input[name=code]')
  await field.waitFor()
  await field.fill(await run.smsCode(customerOf(login).phone))
}

/** Signs in on the login page that is open, and waits for the signed-in page that follows. */
export async function signInHere(page: Page, run: DemonstrationRun, login: string, password?: string) {
  await passPassword(page, login, password)
  await enterSmsCode(page, run, login)
  await page.locator('.who__name').waitFor({ state: 'attached' })
}
