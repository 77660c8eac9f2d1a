import type { Challenge, Solution } from 'altcha-lib/types'
import { makeBotChallenge, type BotCheckedAction } from '../../contract/bot-check.ts'
import type { PageConfig } from '../../contract/page-config.ts'
import { call, ApiError } from '../calls/api.ts'

/** Creates the error of a check that could not be finished in this browser; its text is that of a refusal by the server. */
const unfinished = () => new ApiError('bot-check-refused')

/**
 * Solves the bot check in the background, and returns the proof that the server requires with the call (R77).
 * `area` is where the check of an external service appears, in the rare case that it needs the visitor.
 */
export function solveBotCheck(
  check: PageConfig['botCheck'],
  action: BotCheckedAction,
  area: HTMLElement,
): Promise<string> {
  const { siteKey } = check
  switch (check.kind) {
    case 'altcha':
      return solveAltcha(action)
    case 'turnstile':
      return solveTurnstile(siteKey, action, area)
    case 'hcaptcha':
      return solveHcaptcha(siteKey, area)
    case 'recaptcha':
      return solveRecaptcha(siteKey, action)
  }
}

async function solveAltcha(action: BotCheckedAction) {
  const challenge = (await call(makeBotChallenge, { query: { action } })) as unknown as Challenge
  const solution = await new Promise<Solution | null>((resolve, reject) => {
    const worker = new Worker(new URL('bot-check-worker.ts', import.meta.url), { type: 'module' })
    const finish = (settle: () => void) => {
      worker.terminate()
      settle()
    }
    worker.addEventListener('message', ({ data }: MessageEvent<Solution | null>) => finish(() => resolve(data)))
    worker.addEventListener('error', () => finish(() => reject(unfinished())))
    worker.postMessage(challenge)
  })
  if (!solution) throw unfinished()
  return btoa(JSON.stringify({ challenge, solution }))
}

// The external services: only what is called here is typed, after their own documentation.
type Turnstile = { render(area: HTMLElement, options: Record<string, unknown>): string; remove(id: string): void }
type Hcaptcha = {
  render(area: HTMLElement, options: { sitekey: string; size: 'invisible' }): string
  execute(id: string, options: { async: true }): Promise<{ response: string }>
  remove(id: string): void
}
type Recaptcha = {
  ready(then: () => void): void
  execute(siteKey: string, options: { action: string }): PromiseLike<string>
}

// https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/
async function solveTurnstile(siteKey: string, action: BotCheckedAction, area: HTMLElement) {
  const turnstile = await loadOutsideScript<Turnstile>(
    'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    'turnstile',
  )
  const box = area.appendChild(document.createElement('div'))
  return new Promise<string>((resolve, reject) => {
    const id = turnstile.render(box, {
      sitekey: siteKey,
      action,
      appearance: 'interaction-only',
      callback: (token: string) => finish(() => resolve(token)),
      'error-callback': () => finish(() => reject(unfinished())),
      'timeout-callback': () => finish(() => reject(unfinished())),
    })
    const finish = (settle: () => void) => {
      turnstile.remove(id)
      box.remove()
      settle()
    }
  })
}

// https://docs.hcaptcha.com/invisible
async function solveHcaptcha(siteKey: string, area: HTMLElement) {
  const hcaptcha = await loadOutsideScript<Hcaptcha>(
    'https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off',
    'hcaptcha',
  )
  const box = area.appendChild(document.createElement('div'))
  const id = hcaptcha.render(box, { sitekey: siteKey, size: 'invisible' })
  try {
    return (await hcaptcha.execute(id, { async: true })).response
  } catch {
    throw unfinished()
  } finally {
    hcaptcha.remove(id)
    box.remove()
  }
}

// https://developers.google.com/recaptcha/docs/v3 – an action there may not contain a hyphen.
async function solveRecaptcha(siteKey: string, action: BotCheckedAction) {
  const recaptcha = await loadOutsideScript<Recaptcha>(
    `https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`,
    'grecaptcha',
  )
  await new Promise<void>((resolve) => recaptcha.ready(resolve))
  return recaptcha.execute(siteKey, { action: action.replaceAll('-', '_') })
}

/** Loads a script of the configured service once, only when a check is due, so the service does not learn of other visits (R87). */
async function loadOutsideScript<T>(source: string, name: string): Promise<T> {
  const found = () => (globalThis as unknown as Record<string, T | undefined>)[name]
  if (!found()) {
    const script = document.createElement('script')
    script.src = source
    await new Promise<void>((resolve, reject) => {
      script.addEventListener('load', () => resolve())
      script.addEventListener('error', () => reject(unfinished()))
      document.head.append(script)
    })
  }
  const loaded = found()
  if (!loaded) throw unfinished()
  return loaded
}
