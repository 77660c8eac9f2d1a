import { useState } from 'react'
import type { FileSigner } from '../../contract/file-signing.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import { signaturePlaces, type SignaturePlace } from '../../pki/pdf/signature-places.ts'
import type { Text } from '../../contract/enums.ts'
import { useLocale, useText } from '../locale.tsx'
import { afterCodeText } from '../signing/after-code-text.ts'
import { formatDate } from '../text/format.ts'
import { Field } from '../ui/field.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { Select, textOptions } from '../ui/select.tsx'

const whose = ({ name, organisation }: FileSigner) =>
  organisation && organisation !== name ? `${name}, ${organisation}` : name

/** SGN-23: the certificates, each with what it is and what follows the code. */
export function SignerChoice({ signers, count }: { signers: readonly FileSigner[]; count: number }) {
  const t = useText()
  const locale = useLocale()
  const hintOf = (signer: FileSigner) => {
    const { kind, validTo, mostFiles } = signer
    const next = afterCodeText(signer)
    const until = formatDate(locale, validTo)
    const what =
      kind === 'seal'
        ? t({ pl: `Pieczęć elektroniczna, ważna do ${until}`, en: `Electronic seal, valid until ${until}` })
        : t({ pl: `Podpis elektroniczny, ważny do ${until}`, en: `Electronic signature, valid until ${until}` })
    const few =
      count > mostFiles &&
      (mostFiles === 1
        ? t({ pl: 'Podpisuje po jednym pliku.', en: 'It signs one file at a time.' })
        : t({ pl: `Podpisuje naraz do ${mostFiles} plików.`, en: `It signs up to ${mostFiles} files at once.` }))
    return [endSentence(what), next && t(next), few].filter(Boolean).join(' ')
  }
  return (
    <RadioCards
      name="signer"
      columns={1}
      label={t({ pl: 'Podpisujesz certyfikatem', en: 'You’re signing with' })}
      options={signers.map((signer) => ({
        value: signer.id,
        label: whose(signer),
        verbatim: true,
        hint: hintOf(signer),
        disabled: count > signer.mostFiles,
      }))}
    />
  )
}

const pageTexts: Record<'first' | 'last', Text> = {
  first: { pl: 'Pierwsza', en: 'First' },
  last: { pl: 'Ostatnia', en: 'Last' },
}
const placeTexts: Record<SignaturePlace, Text> = {
  'top-left': { pl: 'U\u00a0góry po lewej', en: 'Top left' },
  top: { pl: 'U\u00a0góry na środku', en: 'Top centre' },
  'top-right': { pl: 'U\u00a0góry po prawej', en: 'Top right' },
  left: { pl: 'Po lewej', en: 'Left' },
  middle: { pl: 'Na środku', en: 'Middle' },
  right: { pl: 'Po prawej', en: 'Right' },
  'bottom-left': { pl: 'U\u00a0dołu po lewej', en: 'Bottom left' },
  bottom: { pl: 'U\u00a0dołu na środku', en: 'Bottom centre' },
  'bottom-right': { pl: 'U\u00a0dołu po prawej', en: 'Bottom right' },
}

/** SGN-24. */
export function AppearanceChoice() {
  const t = useText()
  const locale = useLocale()
  const places = textOptions(locale, placeTexts)
  const [look, setLook] = useState('invisible')
  return (
    <>
      <RadioCards
        name="look"
        columns={2}
        onChosen={setLook}
        label={t({ pl: 'Wygląd podpisu', en: 'How the signature looks' })}
        options={[
          {
            value: 'invisible',
            label: t({ pl: 'Niewidoczny', en: 'Invisible' }),
            hint: t({ pl: 'Pokazują go programy do PDF.', en: 'PDF software shows it.' }),
          },
          {
            value: 'visible',
            label: t({ pl: 'Widoczny na stronie', en: 'Visible on a page' }),
            hint: t({
              pl: 'Z\u00a0nazwiskiem lub nazwą firmy, datą i\u00a0powodem.',
              en: 'With the name, the date and the reason.',
            }),
            inside: look === 'visible' && (
              <div className="stack stack--s">
                <Select
                  name="page"
                  label={t({ pl: 'Strona', en: 'Page' })}
                  options={textOptions(locale, pageTexts)}
                  value="last"
                />
                <Select
                  name="place"
                  label={t({ pl: 'Miejsce', en: 'Place' })}
                  options={signaturePlaces.flatMap((place) => places.filter(({ value }) => value === place))}
                  value="bottom-right"
                />
              </div>
            ),
          },
        ]}
      />
      <Field name="reason" optional maxLength={100} label={t({ pl: 'Powód podpisania', en: 'Reason for signing' })} />
    </>
  )
}
