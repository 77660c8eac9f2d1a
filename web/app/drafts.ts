import { splitLocale } from '../../contract/pages.ts'
import { draftOf, holdsSecret, restoreDraft } from './form-values.ts'
import { storeForNextPage, takeStored } from './storage.ts'

type Draft = Record<string, string | boolean>

/**
 * Drafts survive two events (RTE-1, AUT-5): a language switch reloads the page, so its drafts pass through
 * the storage of this tab and are removed from it at once; after the end of a session, drafts stay in memory
 * until the same customer signs in again. Every `Form` takes part; secrets, codes and files never do.
 */
const forms = new Map<HTMLFormElement, string>()
const kept = new Map<string, Draft>()
const storageKey = 'drafts'
/** Login of the customer who typed the drafts; undefined on signed-out pages. */
let owner: string | undefined

/** Returns the key of a form: its page and the input fields that it has at first, because a choice or a field may be added later. */
const keyOf = (form: HTMLFormElement) =>
  `${splitLocale(location.pathname).path} ${[...form.querySelectorAll('input')].map(({ name }) => name).join(' ')}`

export function keepDraftsInMemory() {
  for (const [form, key] of forms) {
    const draft = draftOf(form)
    if (Object.keys(draft).length) kept.set(key, draft)
  }
}

/** Stores the drafts just before the page is reloaded, including those that wait for a customer to sign in again. */
export function storeDrafts() {
  keepDraftsInMemory()
  storeForNextPage(storageKey, JSON.stringify({ owner, drafts: [...kept] }))
}

/** Loads what the previous page stored; called once, when the page starts. */
export function loadDrafts() {
  const passed = takeStored(storageKey)
  if (!passed) return
  const { owner: typedBy, drafts } = JSON.parse(passed) as { owner?: string; drafts: [string, Draft][] }
  owner = typedBy
  for (const [key, draft] of drafts) kept.set(key, draft)
}

/** Assigns the drafts to a customer; those of another one are dropped, because what one customer typed is never shown to another. */
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

/** Checks whether something was typed that no draft keeps. */
export const secretsWereTyped = () => [...forms.keys()].some(holdsSecret)
