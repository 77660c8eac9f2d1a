import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { storeDrafts } from '../app/drafts.ts'
import { toast } from '../toast/toast-store.ts'

/** Identifies a build by its contents, so building the same source again is not a new version. */
export type Build = { id: string; timestamp: number }

type BuildCheckOptions = {
  current: string
  fetchBuild: (path: string) => Promise<Build>
  /** Checks whether a message would disturb, such as during signing. */
  isBusy: () => boolean
  onNewBuild: (build: Build) => void
}

/** Checks every hour for a newer build and reports it once; it never reloads by itself (HTT-3). Returns a function to stop. */
export function checkBuilds({ current, fetchBuild, isBusy, onNewBuild }: BuildCheckOptions) {
  let known = current
  const look = async () => {
    if (isBusy()) return
    try {
      const { id } = await fetchBuild('/builds/latest.json')
      if (id === known) return
      onNewBuild(await fetchBuild(`/builds/meta/${encodeURIComponent(id)}.json`))
      known = id
    } catch {
      // Without a network nothing is reported; the next check is in an hour.
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

const texts = {
  title: { pl: 'Jest nowa wersja portalu', en: 'A new version of the portal is available' },
  description: {
    pl: 'Wpisane dane zostaną na stronie. Tylko hasła trzeba będzie wpisać ponownie.',
    en: 'What you’ve typed will stay on the page. You’ll only have to enter passwords again.',
  },
  refresh: { pl: 'Odśwież', en: 'Refresh' },
}

/** Returns the build that this document belongs to. */
export const ownBuild = () => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? ''

export function followBuilds(locale: Locale) {
  return checkBuilds({
    current: ownBuild(),
    fetchBuild: fetchJson,
    isBusy: () => !!document.querySelector('dialog[open], [aria-busy=true]'),
    onNewBuild: () =>
      toast({
        title: texts.title[locale],
        description: texts.description[locale],
        action: {
          label: texts.refresh[locale],
          onClick: () => {
            storeDrafts()
            location.reload()
          },
        },
      }),
  })
}
