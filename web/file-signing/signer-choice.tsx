import type { Locale, Text } from '../../contract/enums.ts'
import type { FileSigner, UnusableSigner } from '../../contract/file-signing.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import { signaturePlaces } from '../../pki/pdf/signature-places.ts'
import { useText } from '../app/locale.tsx'
import { afterCodeText } from '../service-authorisation/after-code-text.ts'
import { hasNewer, newerText } from '../service-authorisation/newer-certificate.ts'
import { formatDate } from '../text/format.ts'
import { signatureProductText, sealProductText } from '../text/product-text.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Field } from '../ui/field.tsx'
import { FileRow } from '../ui/file-row.tsx'
import { Fold } from '../ui/fold.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { Select, textOptions } from '../ui/select.tsx'
import type { SignaturePosition } from './prepared-files.ts'
import { placeTexts } from './signing-text.ts'

export const fileSignerName = ({ name, organisation }: Pick<FileSigner, 'name' | 'organisation'>) =>
  organisation && organisation !== name ? `${name}, ${organisation}` : name

const whatText = (locale: Locale, { kind, validTo }: Pick<FileSigner, 'kind' | 'validTo'>): Text => {
  const until = formatDate(locale, validTo)
  return kind === 'seal'
    ? { pl: `${sealProductText.app.pl}, ważna do ${until}`, en: `${sealProductText.app.en}, valid until ${until}` }
    : {
        pl: `${signatureProductText.app.pl}, ważny do ${until}`,
        en: `${signatureProductText.app.en}, valid until ${until}`,
      }
}

type Look = StatusLook & { advice: Text }

const notHere: Record<UnusableSigner['reason'], Look> = {
  'no-key': {
    kind: 'muted',
    icon: 'minus-circle',
    text: { pl: 'Nie podpiszesz nim tutaj', en: 'It can’t sign here' },
    advice: { pl: 'Użyj go w\u00a0swoim programie do podpisu.', en: 'Use it in your own software.' },
  },
  stopping: {
    kind: 'warning',
    icon: 'warning',
    text: { pl: 'Nie można go użyć', en: 'It can’t be used' },
    advice: {
      pl: 'Zlecono jego zawieszenie lub unieważnienie.',
      en: 'Its suspension or revocation has been requested.',
    },
  },
}

/** Lists the certificates that cannot be chosen, each with the reason (SGN-23). */
export function UnusableSigners({ unusable }: { unusable: readonly UnusableSigner[] }) {
  const t = useText()
  return (
    <ul className="sign-files sign-none">
      {unusable.map((signer) => {
        const look = notHere[signer.reason]
        return (
          <li key={signer.id}>
            <FileRow name={fileSignerName(signer)} icon={signer.kind === 'seal' ? 'stamp' : 'pen'}>
              <p className="hint">{t(whatText(t.locale, signer))}</p>
              <LookBadge look={look} />
              <p className="hint">{t(look.advice)}</p>
            </FileRow>
          </li>
        )
      })}
    </ul>
  )
}

type Choice = { signers: readonly FileSigner[]; unusable: readonly UnusableSigner[]; count: number }

/** Shows the certificates, each with its kind and what follows the code; the unusable ones are folded into one line (SGN-23). */
export function SignerChoice({ signers, unusable, count }: Choice) {
  const t = useText()
  const hintOf = (signer: FileSigner) => {
    const { mostFiles } = signer
    const next = afterCodeText(signer)
    const what = t(whatText(t.locale, signer))
    const few =
      count > mostFiles &&
      (mostFiles === 1
        ? t({ pl: 'Podpisuje po jednym pliku.', en: 'It signs one file at a time.' })
        : t({ pl: `Podpisuje naraz do ${mostFiles} plików.`, en: `It signs up to ${mostFiles} files at once.` }))
    const older = hasNewer(signers, signer) && t(newerText)
    return [endSentence(what), older, next && t(next), few].filter(Boolean).join(' ')
  }
  return (
    <div className="signers">
      <RadioCards
        name="signer"
        columns={1}
        label={t({ pl: 'Podpisujesz certyfikatem', en: 'You’re signing with' })}
        options={signers.map((signer) => ({
          value: signer.id,
          label: fileSignerName(signer),
          verbatim: true,
          hint: hintOf(signer),
          disabled: count > signer.mostFiles,
        }))}
      />
      {unusable.length > 0 && (
        <Fold
          summary={t({ pl: `Niedostępne tutaj (${unusable.length})`, en: `Can’t be used here (${unusable.length})` })}
        >
          <UnusableSigners unusable={unusable} />
        </Fold>
      )}
    </div>
  )
}

const pageTexts: Record<'first' | 'last', Text> = {
  first: { pl: 'Pierwsza', en: 'First' },
  last: { pl: 'Ostatnia', en: 'Last' },
}

const usualPosition: SignaturePosition = { page: 'last', place: 'bottom-right' }

type Props = {
  position: SignaturePosition | undefined
  onPosition: (position: SignaturePosition | undefined) => void
  /** Whether a file has signatures already. */
  areSigned: boolean
}

/** Shows the choice of the signature's appearance (SGN-24). */
export function AppearanceChoice({ position, onPosition, areSigned }: Props) {
  const t = useText()
  const places = textOptions(t.locale, placeTexts)
  return (
    <>
      <RadioCards
        name="look"
        onChosen={(look) => onPosition(look === 'visible' ? usualPosition : undefined)}
        label={t({ pl: 'Wygląd podpisu', en: 'Signature appearance' })}
        options={[
          { value: 'invisible', label: t({ pl: 'Niewidoczny', en: 'Invisible' }) },
          { value: 'visible', label: t({ pl: 'Widoczny', en: 'Visible' }) },
        ]}
      />
      {position && (
        <div className="sign-place">
          <Select
            name="page"
            label={t({ pl: 'Strona', en: 'Page' })}
            options={textOptions(t.locale, pageTexts)}
            value={position.page}
            onChange={(page) => onPosition({ ...position, page })}
          />
          <Select
            name="place"
            label={t({ pl: 'Miejsce na stronie', en: 'Position on the page' })}
            options={signaturePlaces.flatMap((each) => places.filter(({ value }) => value === each))}
            value={position.place}
            onChange={(place) => onPosition({ ...position, place })}
          />
        </div>
      )}
      <p className="hint">
        {position
          ? t({
              pl: 'Na stronie pojawi się nazwisko lub nazwa firmy, data i\u00a0powód.',
              en: 'The name, the date and any reason will appear on the page.',
            }) +
            (areSigned
              ? t({
                  pl: ' Jeśli w\u00a0tym miejscu jest już podpis, nowy pojawi się nad nim albo pod nim.',
                  en: ' If there’s a signature in this place already, the new one will appear above or below it.',
                })
              : '')
          : t({
              pl: 'Na stronie nic się nie pojawi. Programy do PDF pokażą podpis na swojej liście.',
              en: 'Nothing appears on the page. PDF software still lists the signature.',
            })}
      </p>
      <Field name="reason" optional maxLength={100} label={t({ pl: 'Powód podpisania', en: 'Reason for signing' })} />
    </>
  )
}
