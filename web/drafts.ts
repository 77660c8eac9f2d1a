import { splitLocale } from '../../contract/pages.ts'
import { passOn, takeOver } from '../storage.ts'
import { draftOf, holdsSecret, restoreDraft } from './form-values.ts'

type Draft = Record<string, string | boolean>

/**
 * What was typed survives two journeys (RTE-1, AUT-5): a language switch loads the page anew, so its drafts pass through
 * the storage of this tab and are taken out again at once; an ended session stays on the page, and its drafts in memory,
 * until the same customer is back. Every `Form` takes part; secrets, codes and files never do.
 */
const forms = new Map<HTMLFormElement, string>()
const kept = new Map<string, Draft>()
const storageKey = 'drafts'
/** Who typed them; nobody on signed-out pages. */
let owner: string | undefined

/** By what is typed into when the form appears, because a choice or a field may come to it later. */
const keyOf = (form: HTMLFormElement) =>
  `${splitLocale(location.pathname).path} ${[...form.querySelectorAll('input')].map(({ name }) => name).join(' ')}`

export function keepDraftsInMemory() {
  for (const [form, key] of forms) {
    const draft = draftOf(form)
    if (Object.keys(draft).length) kept.set(key, draft)
  }
}

/** Just before the page is loaded anew. What waits for a customer to sign in again goes along. */
export function passDraftsOn() {
  keepDraftsInMemory()
  passOn(storageKey, JSON.stringify({ owner, drafts: [...kept] }))
}

/** Takes out what the page before this one passed on; called once, when the page starts. */
export function takeDrafts() {
  const passed = takeOver(storageKey)
  if (!passed) return
  const { owner: typedBy, drafts } = JSON.parse(passed) as { owner?: string; drafts: [string, Draft][] }
  owner = typedBy
  for (const [key, draft] of drafts) kept.set(key, draft)
}

/** What one customer typed is never offered to another. */
export function claimDrafts(login: string) {
  if (owner !== login) kept.clear()
  owner = login
}

/** Gives a form its draft, and remembers the form while it is on the page. */
export function followForm(form: HTMLFormElement) {
  const key = keyOf(form)
  const draft = kept.get(key)
  if (draft) restoreDraft(form, draft)
  kept.delete(key)
  forms.set(form, key)
  return () => void forms.delete(form)
}

/** Whether something was typed that does not survive. */
export const secretsWereTyped = () => [...forms.keys()].some(holdsSecret)
