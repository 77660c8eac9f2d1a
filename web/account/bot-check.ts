import type { Challenge, Solution } from 'altcha-lib/types'
import { makeBotChallenge } from '../../contract/meta.ts'
import type { PageConfig } from '../../contract/page-config.ts'
import { call } from '../api.ts'

export type BotAction = 'sign-in' | 'password-reset'

/** The check could not be finished in this browser; the server was not asked. */
export class BotCheckFailed extends Error {}

/**
 * Proves in the background that no robot is asking, and gives the proof that the server wants with the call (R77).
 * `place` is where a check of an outside service shows itself, in the rare case that it needs the person.
 */
export function solveBotCheck(check: PageConfig['botCheck'], action: BotAction, place: HTMLElement): Promise<string> {
  const { siteKey } = check
  switch (check.kind) {
    case 'altcha':
      return solveAltcha()
    case 'turnstile':
      return solveTurnstile(siteKey, action, place)
    case 'hcaptcha':
      return solveHcaptcha(siteKey, place)
    case 'recaptcha':
      return solveRecaptcha(siteKey, action)
  }
}

async function solveAltcha() {
  const challenge = (await call(makeBotChallenge)) as Challenge
  const solution = await new Promise<Solution | null>((resolve, reject) => {
    const worker = new Worker(new URL('bot-check-worker.ts', import.meta.url), { type: 'module' })
    const finish = (settle: () => void) => {
      worker.terminate()
      settle()
    }
    worker.addEventListener('message', ({ data }: MessageEvent<Solution | null>) => finish(() => resolve(data)))
    worker.addEventListener('error', () => finish(() => reject(new BotCheckFailed('the worker did not start'))))
    worker.postMessage(challenge)
  })
  if (!solution) throw new BotCheckFailed('the challenge was not solved')
  return btoa(JSON.stringify({ challenge, solution }))
}

// The outside services: only what is called here is typed, after their own documentation.
type Turnstile = {
  render(place: HTMLElement, options: Record<string, unknown>): string
  remove(id: string): void
}
type Hcaptcha = {
  render(place: HTMLElement, options: { sitekey: string; size: 'invisible' }): string
  execute(id: string, options: { async: true }): Promise<{ response: string }>
  remove(id: string): void
}
type Recaptcha = {
  ready(then: () => void): void
  execute(siteKey: string, options: { action: string }): PromiseLike<string>
}

// https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/
async function solveTurnstile(siteKey: string, action: BotAction, place: HTMLElement) {
  const turnstile = await outsideScript<Turnstile>('https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit', 'turnstile')
  const box = place.appendChild(document.createElement('div'))
  return new Promise<string>((resolve, reject) => {
    const id = turnstile.render(box, {
      sitekey: siteKey,
      action,
      appearance: 'interaction-only',
      callback: (token: string) => finish(() => resolve(token)),
      'error-callback': () => finish(() => reject(new BotCheckFailed('turnstile'))),
      'timeout-callback': () => finish(() => reject(new BotCheckFailed('turnstile'))),
    })
    const finish = (settle: () => void) => {
      turnstile.remove(id)
      box.remove()
      settle()
    }
  })
}

// https://docs.hcaptcha.com/invisible
async function solveHcaptcha(siteKey: string, place: HTMLElement) {
  const hcaptcha = await outsideScript<Hcaptcha>('https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off', 'hcaptcha')
  const box = place.appendChild(document.createElement('div'))
  const id = hcaptcha.render(box, { sitekey: siteKey, size: 'invisible' })
  try {
    return (await hcaptcha.execute(id, { async: true })).response
  } catch {
    throw new BotCheckFailed('hcaptcha')
  } finally {
    hcaptcha.remove(id)
    box.remove()
  }
}

// https://developers.google.com/recaptcha/docs/v3 – an action there may hold no hyphen.
async function solveRecaptcha(siteKey: string, action: BotAction) {
  const recaptcha = await outsideScript<Recaptcha>(`https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`, 'grecaptcha')
  await new Promise<void>((resolve) => recaptcha.ready(resolve))
  return recaptcha.execute(siteKey, { action: action.replace('-', '_') })
}

/** Loads a script of the configured service once, only when a check is due: nobody else learns of the visit (R87). */
async function outsideScript<T>(source: string, name: string): Promise<T> {
  const found = () => (globalThis as unknown as Record<string, T | undefined>)[name]
  if (!found()) {
    const script = document.createElement('script')
    script.src = source
    await new Promise<void>((resolve, reject) => {
      script.addEventListener('load', () => resolve())
      script.addEventListener('error', () => reject(new BotCheckFailed(`${name} did not load`)))
      document.head.append(script)
    })
  }
  const loaded = found()
  if (!loaded) throw new BotCheckFailed(`${name} did not start`)
  return loaded
}
