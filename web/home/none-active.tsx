import type { Text } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { config } from '../config.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDateTime } from '../text/format.ts'
import { ButtonLink, TextLink } from '../ui/button.tsx'

type Texts = {
  title: Text
  text: Text
  see: Text
  buy: Text
  link: keyof typeof config.brand.links
  /** Instead of `title` and `text` where one of them is not valid yet. */
  beginning?: { title: (day: string) => Text; text: Text }
}

const noneActive = {
  signatures: {
    title: { pl: 'Żaden podpis nie jest teraz aktywny', en: 'No signature is active now' },
    text: {
      pl: 'Nie podpiszesz teraz dokumentu. Na liście sprawdzisz, dlaczego i\u00a0co można zrobić.',
      en: 'You cannot sign a document now. The list shows why and what can be done.',
    },
    see: { pl: 'Zobacz swoje podpisy', en: 'See your signatures' },
    buy: { pl: 'Kup nowy podpis', en: 'Buy a new signature' },
    link: 'newSignature',
    beginning: {
      title: (day) => ({ pl: `Twój podpis zacznie działać ${day}`, en: `Your signature begins on ${day}` }),
      text: {
        pl: 'Do tego czasu nie podpiszesz nim dokumentu. Nie musisz nic kupować.',
        en: 'Until then you cannot sign documents with it. There is nothing to buy.',
      },
    },
  },
  seals: {
    title: { pl: 'Żadna pieczęć nie jest teraz aktywna', en: 'No seal is active now' },
    text: {
      pl: 'Nie opieczętujesz teraz dokumentu. Na liście sprawdzisz, dlaczego.',
      en: 'You cannot seal a document now. The list shows why.',
    },
    see: { pl: 'Zobacz swoje pieczęcie', en: 'See your seals' },
    buy: { pl: 'Kup nową pieczęć', en: 'Buy a new seal' },
    link: 'seal',
    beginning: {
      title: (day) => ({ pl: `Twoja pieczęć zacznie działać ${day}`, en: `Your seal begins on ${day}` }),
      text: {
        pl: 'Do tego czasu nie opieczętujesz nią dokumentu. Nie musisz nic kupować.',
        en: 'Until then you cannot seal documents with it. There is nothing to buy.',
      },
    },
  },
  timestamps: {
    title: { pl: 'Żadne konto znaczników nie jest teraz aktywne', en: 'No timestamp account is active now' },
    text: {
      pl: 'Twoje programy nie dostaną teraz znacznika. Zadzwoń do nas, jeśli są Ci potrzebne.',
      en: 'Your programs get no timestamp now. Call us if you need them.',
    },
    see: { pl: 'Zobacz konta znaczników', en: 'See the timestamp accounts' },
    buy: { pl: 'Kup znaczniki', en: 'Buy timestamps' },
    link: 'timestamp',
  },
} as const satisfies Record<string, Texts>

type Props = {
  service: keyof typeof noneActive
  /** When the next one begins, if there is one (HOM-4). */
  begins?: string | null
}

/** Without a valid product nothing expires, but that is not a good state either. */
export function NoneActive({ service, begins }: Props) {
  const t = useText()
  const locale = useLocale()
  const { title, text, see, buy, link, beginning }: Texts = noneActive[service]
  if (begins && beginning)
    return (
      <div className="card diploma home__start">
        <h3 className="attn__t">{t(beginning.title(formatDateTime(locale, begins)))}</h3>
        <p className="soft">{t(beginning.text)}</p>
        <div className="btns home__go">
          <ButtonLink variant="primary" to={pages[service].path}>
            {t(see)}
          </ButtonLink>
        </div>
      </div>
    )
  return (
    <div className="card diploma home__start">
      <h3 className="attn__t">{t(title)}</h3>
      <p className="soft">{t(text)}</p>
      <div className="btns home__go">
        <ButtonLink variant="primary" to={pages[service].path}>
          {t(see)}
        </ButtonLink>
        <TextLink className="link" href={config.brand.links[link]}>
          {t(buy)}
        </TextLink>
      </div>
    </div>
  )
}
