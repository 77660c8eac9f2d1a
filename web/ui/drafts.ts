import { splitLocale } from '../../contract/pages.ts'
import { passOn, takeOver } from '../storage.ts'
import { draftOf, restoreDraft } from './form-values.ts'

type Draft = Record<string, string | boolean>

/**
 * What was typed survives two journeys (RTE-1, AUT-5): the language switch loads the page anew, so its drafts pass through
 * the storage of this tab and are taken out again at once; an ended session stays on the page, and its drafts in memory.
 */
const forms = new Set<HTMLFormElement>()
const kept = new Map<string, Draft>()
const storageKey = 'drafts'
/** Who typed them; nobody on signed-out pages. */
let owner: string | undefined

/** By what is typed into, because a choice may come to its form later. */
const keyOf = (form: HTMLFormElement) =>
  `${splitLocale(location.pathname).path} ${[...form.querySelectorAll('input')].map(({ name }) => name).join(' ')}`

const drafts = () =>
  [...forms].map((form) => [keyOf(form), draftOf(form)] as const).filter(([, draft]) => Object.keys(draft).length)

export function keepDraftsInMemory() {
  for (const [key, draft] of drafts()) kept.set(key, draft)
}

export function passDraftsOn() {
  passOn(storageKey, JSON.stringify({ owner, drafts: drafts() }))
}

/** Takes out what the page before this one passed on; called once, when the page starts. */
export function takeDrafts() {
  const passed = takeOver(storageKey)
  if (!passed) return
  const { owner: typedBy, drafts: typed } = JSON.parse(passed) as { owner?: string; drafts: [string, Draft][] }
  owner = typedBy
  for (const [key, draft] of typed) kept.set(key, draft)
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
  forms.add(form)
  return () => void forms.delete(form)
}
