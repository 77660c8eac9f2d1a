import { documentText } from '../../contract/document-text.ts'
import type { Renewal } from '../../contract/renewal.ts'
import type { Choice, RenewalReason, Validity } from '../../contract/rules/renewal-rules.ts'
import { useText } from '../app/locale.tsx'
import { formatDate } from '../text/format.ts'
import { identifierText } from '../text/identifier-text.ts'
import { yearsText } from '../text/period-text.ts'
import { renewalReasonText, spanText } from '../text/renewal-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { issuanceObstacleOf, evaluateChoice, adviceOn } from './chosen-parameters.ts'
import { updateDocumentText } from './identity-document-form.ts'

type Props = {
  renewal: Renewal
  choice: Choice
  onChangeIdentifier: () => void
  onKeepIdentifier: () => void
  onNewDocument: () => void
}

/** Shows the consequences of the choice before the click. */
export function ParametersNotes(props: Props) {
  const { renewal, choice, onKeepIdentifier } = props
  const t = useText()
  const judged = evaluateChoice(renewal, choice, new Date(renewal.now))
  const hindrance = issuanceObstacleOf(judged)
  const kept = identifierText(renewal.certificate.identifier)
  return (
    <div role="status" className="wizard__notes block">
      {hindrance ? (
        <HindranceNote {...props} hindrance={hindrance} isShortened={judged.validity.isShortened} />
      ) : (
        judged.validity.isShortened && <ShorterNote {...props} validity={judged.validity} />
      )}
      {choice.identifier === 'pesel' && (
        <Notice>
          <p>
            {t({
              pl: 'Nowy certyfikat będzie zawierał Twój PESEL, więc data ważności dokumentu nie skróci ważności certyfikatu.',
              en: 'Your new certificate will contain your PESEL number, so the expiry date of your document won’t shorten its validity.',
            })}
          </p>
          <p>
            <button type="button" className="link" onClick={onKeepIdentifier}>
              {t({ pl: `Wolę dotychczasowy identyfikator: ${kept.pl}`, en: `Use my ${kept.en} instead` })}
            </button>
          </p>
        </Notice>
      )}
    </div>
  )
}

type HindranceProps = Props & { hindrance: RenewalReason; isShortened: boolean }

function HindranceNote({ hindrance, isShortened, renewal, choice, onChangeIdentifier, onNewDocument }: HindranceProps) {
  const t = useText()
  const canChangePesel = isShortened && canChangeToPesel(renewal, choice)
  const isTooShort = hindrance === 'VALIDITY_TOO_SHORT'
  return (
    <Notice kind="warning" title={t(renewalReasonText[hindrance].what)}>
      <p>{t(adviceOn(hindrance, renewal, choice))}</p>
      {isTooShort && (
        <p className="buttons">
          <Button
            variant="primary"
            size="s"
            aria-haspopup="dialog"
            onClick={canChangePesel ? onChangeIdentifier : onNewDocument}
          >
            {t(canChangePesel ? changeToPesel : updateDocumentText)}
          </Button>
        </p>
      )}
      {(!isTooShort || canChangePesel) && <NewDocument onOpen={onNewDocument} />}
    </Notice>
  )
}

type ShorterProps = Props & { validity: Validity }

function ShorterNote({ validity: { to, fullTo }, renewal, choice, onChangeIdentifier, onNewDocument }: ShorterProps) {
  const t = useText()
  const span = spanText(t.locale, to, fullTo)
  const document = documentText[renewal.person.document!.type]
  return (
    <Notice kind="warning">
      <p>
        <strong>
          {t({
            pl: `Certyfikat będzie ważny o\u00a0${span} krócej.`,
            en: `The certificate will expire ${span} early.`,
          })}
        </strong>{' '}
        {t({
          pl: `Twój dokument (${document.pl}) wygasa ${formatDate(t.locale, to)}, a\u00a0certyfikat nie może być ważny dłużej.`,
          en: `Your ${document.en} expires on ${formatDate(t.locale, to)}, and the certificate can’t be valid for longer.`,
        })}
      </p>
      {canChangeToPesel(renewal, choice) && (
        <p>
          {t(
            choice.years === 1
              ? { pl: 'Chcesz pełny rok? ', en: 'Want the full year? ' }
              : {
                  pl: `Chcesz pełne ${yearsText('pl', choice.years)}? `,
                  en: `Want the full ${yearsText('en', choice.years)}? `,
                },
          )}
          <button type="button" className="link" aria-haspopup="dialog" onClick={onChangeIdentifier}>
            {t(changeToPesel)}
          </button>
        </p>
      )}
      <NewDocument onOpen={onNewDocument} />
    </Notice>
  )
}

const changeToPesel = { pl: 'Zmień identyfikator na PESEL', en: 'Change identifier to PESEL' }

const canChangeToPesel = ({ person }: Renewal, choice: Choice) => person.pesel !== null && choice.identifier === 'same'

/** Offers to enter a newer document than the known one, with which neither a shorter certificate nor another identifier is needed. */
function NewDocument({ onOpen }: { onOpen: () => void }) {
  const t = useText()
  return (
    <p>
      {t({ pl: 'Masz już nowy dokument? ', en: 'Already have a new document? ' })}
      <button type="button" className="link" aria-haspopup="dialog" onClick={onOpen}>
        {t(updateDocumentText)}
      </button>
    </p>
  )
}
