import type { Text } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { formatDateTime } from '../text/format.ts'
import { Medallion, type Family } from '../art/medallion.tsx'
import { certificateLooks, startText } from '../certificates/certificate-looks.ts'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink, TextLink, type ButtonVariant } from '../ui/button.tsx'

type Texts = {
  family: Family
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
    family: 'signature',
    title: { pl: 'Żaden podpis nie jest teraz aktywny', en: 'You have no active signature' },
    text: {
      pl: 'Nie podpiszesz teraz dokumentu. Na liście sprawdzisz, dlaczego i\u00a0co możesz zrobić.',
      en: 'You can’t sign documents now. The list shows why, and what you can do.',
    },
    see: { pl: 'Zobacz swoje podpisy', en: 'View your signatures' },
    buy: { pl: 'Kup nowy podpis', en: 'Buy a new signature' },
    link: 'newSignature',
    beginning: {
      title: (day) => ({ pl: `Twój podpis zacznie działać ${day}`, en: `You can use your signature from ${day}` }),
      text: {
        pl: 'Do tego czasu nie podpiszesz nim dokumentu. Nie musisz nic kupować.',
        en: 'You can’t sign documents with it until then. You don’t need to buy anything.',
      },
    },
  },
  seals: {
    family: 'seal',
    title: { pl: 'Żadna pieczęć nie jest teraz aktywna', en: 'You have no active seal' },
    text: {
      pl: 'Nie opatrzysz teraz dokumentu pieczęcią. Na liście sprawdzisz, dlaczego.',
      en: 'You can’t seal documents now. The list shows why.',
    },
    see: { pl: 'Zobacz swoje pieczęcie', en: 'View your seals' },
    buy: { pl: 'Kup nową pieczęć', en: 'Buy a new seal' },
    link: 'seal',
    beginning: {
      title: (day) => ({ pl: `Twoja pieczęć zacznie działać ${day}`, en: `You can use your seal from ${day}` }),
      text: {
        pl: 'Do tego czasu nie opatrzysz nią dokumentu. Nie musisz nic kupować.',
        en: 'You can’t seal documents with it until then. You don’t need to buy anything.',
      },
    },
  },
  timestamps: {
    family: 'timestamp',
    title: { pl: 'Żadne konto znaczników nie jest teraz aktywne', en: 'You have no active timestamp account' },
    text: {
      pl: 'Twoje programy nie dostaną teraz znaczników. Jeśli ich potrzebujesz, zadzwoń do nas.',
      en: 'Your software can’t get timestamps now. Call us if you need them.',
    },
    see: { pl: 'Zobacz konta znaczników', en: 'View your timestamp accounts' },
    buy: { pl: 'Kup znaczniki', en: 'Buy timestamps' },
    link: 'timestamp',
  },
} as const satisfies Record<string, Texts>

type Props = {
  service: keyof typeof noneActive
  /** When the next one begins, if there is one (HOM-4). */
  begins?: string | null
  variant: ButtonVariant
}

/** Without a valid product nothing expires, but that is not a good state either. */
export function NoneActive({ service, begins, variant }: Props) {
  const t = useText()
  const { family, title, text, see, buy, link, beginning }: Texts = noneActive[service]
  const start = begins && beginning ? { at: begins, ...beginning } : undefined
  return (
    <article className="card diploma attn__main">
      <Medallion family={family} size={104} off />
      <div className="attn__body">
        {start && <Badge {...certificateLooks['not-yet-valid']}>{t(startText(start.at))}</Badge>}
        <h3 className="attn__t">{t(start ? start.title(formatDateTime(t.locale, start.at)) : title)}</h3>
        <p className="soft">{t(start ? start.text : text)}</p>
        <div className="btns">
          {/* While one only has to begin, there is nothing to do. */}
          <ButtonLink variant={start ? 'secondary' : variant} to={pages[service].path}>
            {t(see)}
          </ButtonLink>
          {!start && (
            <TextLink className="link" href={config.brand.links[link]}>
              {t(buy)}
            </TextLink>
          )}
        </div>
      </div>
    </article>
  )
}
