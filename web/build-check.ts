import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { passDraftsOn } from './ui/drafts.ts'
import { toast } from './ui/toast-store.ts'

/** Names one build by what is in it, so the same source built anew is no news. */
export type Build = { id: string; timestamp: number }

type Surroundings = {
  current: string
  fetchBuild: (path: string) => Promise<Build>
  /** True while an offer would disturb, such as during signing. */
  busy: () => boolean
  offer: (build: Build) => void
}

/** Asks every hour for the latest build and offers a newer one, once; it never reloads by itself (HTT-3). Answers how to stop. */
export function checkBuilds({ current, fetchBuild, busy, offer }: Surroundings) {
  let offered = current
  const look = async () => {
    if (busy()) return
    try {
      const { id } = await fetchBuild('/builds/latest.json')
      if (id === offered) return
      offer(await fetchBuild(`/builds/meta/${encodeURIComponent(id)}.json`))
      offered = id
    } catch {
      // Without a network there is nothing to offer, and the next hour asks again.
    }
  }
  const timer = setInterval(() => void look(), limits.buildCheckMs)
  return () => clearInterval(timer)
}

async function fetchJson(path: string): Promise<Build> {
  const answer = await fetch(path, { credentials: 'omit', cache: 'no-store' })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.json() as Promise<Build>
}

const words = {
  title: { pl: 'Jest nowa wersja portalu', en: 'There is a new version of the portal' },
  description: {
    pl: 'To, co wpisujesz, zostanie na stronie. Tylko hasła trzeba będzie wpisać jeszcze raz.',
    en: 'What you are typing will stay on the page. Only passwords have to be entered again.',
  },
  refresh: { pl: 'Odśwież', en: 'Refresh' },
}

export function followBuilds(locale: Locale) {
  return checkBuilds({
    current: document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? '',
    fetchBuild: fetchJson,
    busy: () => !!document.querySelector('dialog[open], [aria-busy=true]'),
    offer: () =>
      toast({
        title: words.title[locale],
        description: words.description[locale],
        action: {
          label: words.refresh[locale],
          onClick: () => {
            passDraftsOn()
            location.reload()
          },
        },
      }),
  })
}
