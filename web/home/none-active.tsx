import { pages } from '../../contract/pages.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { ButtonLink, TextLink } from '../ui/button.tsx'

const noneActive = {
  signatures: {
    title: { pl: 'Żaden podpis nie jest teraz aktywny', en: 'No signature is active now' },
    text: {
      pl: 'Nie podpiszesz teraz dokumentu. Na liście sprawdzisz, dlaczego i\u00a0co można zrobić.',
      en: 'You cannot sign a document now. The list tells you why and what can be done.',
    },
    see: { pl: 'Zobacz swoje podpisy', en: 'See your signatures' },
    buy: { pl: 'Kup nowy podpis', en: 'Buy a new signature' },
    link: 'newSignature',
  },
  seals: {
    title: { pl: 'Żadna pieczęć nie jest teraz aktywna', en: 'No seal is active now' },
    text: {
      pl: 'Nie opieczętujesz teraz dokumentu. Na liście sprawdzisz, dlaczego.',
      en: 'You cannot seal a document now. The list tells you why.',
    },
    see: { pl: 'Zobacz swoje pieczęcie', en: 'See your seals' },
    buy: { pl: 'Kup nową pieczęć', en: 'Buy a new seal' },
    link: 'seal',
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
} as const

/** Nothing runs out where nothing is valid, but that is no calm state. */
export function NoneActive({ of }: { of: keyof typeof noneActive }) {
  const t = useText()
  const { title, text, see, buy, link } = noneActive[of]
  return (
    <div className="card diploma home__start">
      <h3 className="attn__t">{t(title)}</h3>
      <p className="soft">{t(text)}</p>
      <div className="btns home__go">
        <ButtonLink variant="primary" to={pages[of].path}>
          {t(see)}
        </ButtonLink>
        <TextLink className="link" href={config.brand.links[link]}>
          {t(buy)}
        </TextLink>
      </div>
    </div>
  )
}
