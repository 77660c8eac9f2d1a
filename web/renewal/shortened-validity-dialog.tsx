import { documentText } from '../../contract/enums.ts'
import type { Renewal } from '../../contract/renewal.ts'
import type { Validity } from '../../contract/rules/renewal-rules.ts'
import { useAction } from '../action.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDate, yearsText } from '../text/format.ts'
import { spanText } from '../text/renewal-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'

type Props = {
  renewal: Renewal
  validity: Validity
  years: number
  /** An ApiError that it throws is shown here. */
  onAccept: () => Promise<void>
  onChangeIdentifier: () => void
  onClose: () => void
}

/** REN-4: both ends side by side, and the button says which one is accepted. */
export function ShortenedValidityDialog({ renewal, validity, years, onAccept, onChangeIdentifier, onClose }: Props) {
  const t = useText()
  const locale = useLocale()
  const { run, busy, failureText } = useAction(async () => {
    await onAccept()
    onClose()
  })
  const { person } = renewal
  const end = formatDate(locale, validity.to)

  return (
    <Dialog
      width="l"
      initialFocus="title"
      title={t({ pl: 'Certyfikat będzie krótszy', en: 'The certificate will be shorter' })}
      description={t({
        pl: `Kończy się razem z\u00a0dokumentem tożsamości (${documentText[person.document!.type].pl}).`,
        en: `It ends together with the identity document (${documentText[person.document!.type].en}).`,
      })}
      closable={!busy}
      onClose={onClose}
      footer={
        <>
          {person.pesel !== null && (
            <Button disabled={busy} onClick={onChangeIdentifier}>
              {t({ pl: 'Zmień identyfikator', en: 'Change the identifier' })}
            </Button>
          )}
          <Button variant="primary" busy={busy} onClick={run}>
            {t({ pl: `Akceptuję ważność do ${end}`, en: `I accept validity until ${end}` })}
          </Button>
        </>
      }
    >
      <FailureNotice text={failureText} />
      <DescriptionList>
        <Row
          name={t({
            pl: `Wybrany okres: ${yearsText('pl', years)}`,
            en: `The chosen period: ${yearsText('en', years)}`,
          })}
        >
          {t({ pl: 'do ', en: 'until ' })}
          <time dateTime={validity.fullTo.toISOString()}>{formatDate(locale, validity.fullTo)}</time>
        </Row>
        <Row name={t({ pl: 'Nowy certyfikat', en: 'The new certificate' })}>
          <b>
            {t({ pl: 'do ', en: 'until ' })}
            <time dateTime={validity.to.toISOString()}>{end}</time>
          </b>
          {t({ pl: ', krótszy o\u00a0', en: ', shorter by ' })}
          {spanText(locale, validity.to, validity.fullTo)}
        </Row>
      </DescriptionList>
      <p className="soft">
        {t({
          pl: 'Kod odnowienia zużyje się w\u00a0całości. Potem nie można już zmienić ani okresu, ani identyfikatora.',
          en: 'The renewal code is used up all the same. Neither period nor identifier can be changed after that.',
        })}
      </p>
    </Dialog>
  )
}
