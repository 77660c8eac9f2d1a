import { documentText } from '../../contract/document-text.ts'
import type { Renewal } from '../../contract/renewal.ts'
import type { Validity } from '../../contract/rules/renewal-rules.ts'
import { useText } from '../app/locale.tsx'
import { DateText } from '../text/date-text.tsx'
import { formatDate } from '../text/format.ts'
import { yearsText } from '../text/period-text.ts'
import { spanText } from '../text/renewal-text.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'

type Props = {
  renewal: Renewal
  validity: Validity
  years: number
  /** Accepts the dates; an ApiError that it throws is shown here. */
  onAccept: () => Promise<void>
  onChangeIdentifier: () => void
  onClose: () => void
}

/** Shows both ends side by side; the button names the one that is accepted (REN-4). */
export function ShortenedValidityDialog({ renewal, validity, years, onAccept, onChangeIdentifier, onClose }: Props) {
  const t = useText()
  const { run, isBusy, failureText } = useAction(async () => {
    await onAccept()
    onClose()
  })
  const { person } = renewal
  const end = formatDate(t.locale, validity.to)

  return (
    <Dialog
      width="l"
      initialFocus="title"
      title={t({ pl: 'Certyfikat będzie ważny krócej', en: 'The certificate will expire early' })}
      description={t({
        pl: `Wygaśnie razem z\u00a0dokumentem tożsamości (${documentText[person.document!.type].pl}).`,
        en: `It expires when your ${documentText[person.document!.type].en} does.`,
      })}
      isClosable={!isBusy}
      onClose={onClose}
      footer={
        <>
          {person.pesel !== null && (
            <Button disabled={isBusy} onClick={onChangeIdentifier}>
              {t({ pl: 'Zmień identyfikator', en: 'Change identifier' })}
            </Button>
          )}
          <Button variant="primary" isBusy={isBusy} onClick={run}>
            {t({ pl: `Akceptuję ważność do ${end}`, en: `Accept validity until ${end}` })}
          </Button>
        </>
      }
    >
      <FailureNotice text={failureText} />
      <DescriptionList>
        <Row
          name={t({ pl: `Wybrany okres: ${yearsText('pl', years)}`, en: `Chosen period: ${yearsText('en', years)}` })}
        >
          {t({ pl: 'do ', en: 'until ' })}
          <DateText at={validity.fullTo} />
        </Row>
        <Row name={t({ pl: 'Nowy certyfikat', en: 'The new certificate' })}>
          <b>
            {t({ pl: 'do ', en: 'until ' })}
            <time dateTime={validity.to.toISOString()}>{end}</time>
          </b>
          {t({ pl: ', krótszy o\u00a0', en: ', shorter by ' })}
          {spanText(t.locale, validity.to, validity.fullTo)}
        </Row>
      </DescriptionList>
      <p className="soft">
        {t({
          pl: 'Mimo to wykorzystasz cały kod odnowienia. Potem nie zmienisz już okresu ani identyfikatora.',
          en: 'This still uses the whole renewal code. After that, you can’t change the period or the identifier.',
        })}
      </p>
    </Dialog>
  )
}
