import { expect, test } from 'vitest'
import type { Locale } from '../contract/enums.ts'
import { featureNames, neededBy, offParts, type Feature } from '../contract/features.ts'
import { keysOf } from '../contract/keys-of.ts'
import { findPage, inLocale, pages, splitLocale, type PageName } from '../contract/pages.ts'
import { exhaustive } from '../server/testing/breadth.ts'
import { startFilledDemonstration } from '../server/testing/filled-demonstration.ts'
import { pagesOf } from './testing/browser-pages.ts'
import { enter, messagesOf } from './testing/demonstration-run.ts'

/** What only a feature is called; where a feature has no entry, its pages and their links are all that names it. */
const names: Partial<Record<Feature, Record<Locale, RegExp>>> = {
  registration: { pl: /Załóż konto|do założenia konta/, en: /Create an account|for a new account/ },
  passkeys: { pl: /klucz\S* dostępu/i, en: /passkey/i },
  signatures: { pl: /Zobacz swoje podpisy/, en: /View your signatures/ },
  seals: {
    pl: /Zobacz swoje pieczęcie|(?:znajdź podpis|przy podpisie) lub pieczę|jej pieczęcią/,
    en: /View your seals|find your signature or seal|seal on its files/,
  },
  timestamps: { pl: /kont\S* znaczników/, en: /timestamp account/ },
  calendar: { pl: /adres\S* kalendarza/, en: /calendar link/i },
  documents: {
    pl: /Przeczytaj i\spodpisz|Twoje dokumenty|(?:Kod|i\skod) do dokumentu/,
    en: /Read and sign|Your documents|document code (?:are|doesn’t)/,
  },
  signing: {
    pl: /Przeczytaj i\spodpisz|Podpisz plik|podpiszesz tym certyfikatem|Każde podpisanie/,
    en: /Read and sign|Sign (?:a )?file|sign with this certificate here|Each time you sign/,
  },
  // The history keeps that one was used.
  vouchers: { pl: /kody? voucher/i, en: /voucher codes?(?! used)/i },
  renewal: {
    pl: /kod\S* (?:albo )?odnowienia|(?:Odnów|Rozpocznij|Dokończ|Zobacz) (?:podpis|odnowienie)|nie odnowisz go|podpisanie umowy/,
    en: /renewal code|Renew signature|(?:Start|Finish|View) renewal|certificate here, renew it|signing an agreement/,
  },
  'phone-change': { pl: /Zmień numer|zmienić numer telefonu/, en: /change (?:your |my )?phone number/i },
  'data-export': { pl: /kopi\S+ (?:Twoich |moich )?danych/i, en: /copy of (?:your|my) data/i },
  'status-requests': {
    pl: /Zawieś lub unieważnij(?! certyfikat)|Cofnij zawieszenie|Zawieś certyfikaty|cofnąć w\sportalu/,
    en: /Suspend or revoke(?! a certificate)|End (?:the )?suspension|Suspend your certificates|end the suspension here/,
  },
  software: { pl: /Oprogramowanie/, en: /^Software/m },
  'file-check': { pl: /Sprawdź podpisany plik/, en: /Check a signed file/ },
  'file-signing': { pl: /Podpisz plik/, en: /Sign (?:a )?file/ },
  offline: { pl: /bez internetu/, en: /without the internet/ },
}

/** Pages that can be opened by their address alone. Legal texts are the same whatever is off. */
const visited = keysOf(pages).filter(
  (name) => !pages[name].path.includes(':') && !['accessibility', 'privacy', 'terms', 'accessDenied'].includes(name),
)

/** Whose pages are read: a visitor; somebody with everything that the portal has; with a suspended signature; with nothing yet. */
const visits: readonly { login?: string; opens: readonly PageName[] }[] = [
  { opens: visited.filter((name) => !pages[name].protected) },
  { login: 'malgorzata', opens: visited.filter((name) => pages[name].protected) },
  { login: 'tomasz', opens: ['home', 'signatures'] },
  { login: 'nowy', opens: ['home'] },
]

const locales: readonly Locale[] = exhaustive ? ['pl', 'en'] : ['pl']
/** What `npm test` tries has the most places; `npm run test:all` tries all. */
const tried = exhaustive ? featureNames : (['passkeys', 'renewal', 'signing'] as const)

test.each(tried)('ERR-5 with %s off no page names it or leads to it', async (feature) => {
  const off = [feature, ...neededBy(feature)]
  const gone = offParts(off)
  const portal = await startFilledDemonstration({ FEATURES_OFF: off.join(' ') })
  const { openProfile, closeProfiles } = pagesOf(portal.origin)
  const run = { ...portal, ...(await messagesOf(portal.origin)) }
  const found = new Set<string>()
  try {
    for (const { login, opens } of visits) {
      const { context } = await openProfile({ javaScriptEnabled: false })
      if (login) await enter(run, context, login)
      const page = await context.newPage()
      for (const locale of locales)
        for (const name of opens.filter((opened) => !gone.includes(opened))) {
          await page.goto(inLocale(locale, pages[name].path))
          // All answers, also closed ones.
          const text =
            (await page
              .locator('details')
              .evaluateAll((all) => all.forEach((fold) => fold.setAttribute('open', '')))) ??
            (await page.locator('body').innerText())
          for (const each of off)
            for (const line of text.split('\n').filter((written) => names[each]?.[locale].test(written)))
              found.add(`${locale} ${name} names ${each}: ${line}`)
          const links = page.locator('a[href^="/"]').filter({ visible: true })
          for (const address of await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!))) {
            const target = findPage(splitLocale(address.replace(/[?#].*/, '')).path)
            if (target && gone.includes(target)) found.add(`${locale} ${name} links to ${address}`)
          }
        }
    }
  } finally {
    await closeProfiles()
    await portal.stop()
  }
  expect([...found]).toEqual([])
})
