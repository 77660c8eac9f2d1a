import { documentText } from '../../contract/document-text.ts'
import type { Renewal } from '../../contract/renewal.ts'
import type { Choice } from '../../contract/rules/renewal-rules.ts'
import { useText } from '../locale.tsx'
import { formatDate } from '../text/format.ts'
import { yearsText } from '../text/period-text.ts'
import { identifierText } from '../text/identifier-text.ts'
import { renewalReasonText, spanText } from '../text/renewal-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { adviceOn } from './choice-advice.ts'
import { updateDocumentText } from './identity-document-form.ts'
import { hindranceOf, judgeHere } from './chosen-parameters.ts'

type Props = {
  renewal: Renewal
  choice: Choice
  onChangeIdentifier: () => void
  onKeepIdentifier: () => void
  onNewDocument: () => void
}

/** The consequences of the choice, before the click (ux.md §3.3). */
export function ParametersNotes({ renewal, choice, onChangeIdentifier, onKeepIdentifier, onNewDocument }: Props) {
  const t = useText()
  const { person, certificate } = renewal
  const judged = judgeHere(renewal, choice, new Date(renewal.now))
  const { shortened, to, fullTo } = judged.validity
  const hindrance = hindranceOf(judged)
  const span = spanText(t.locale, to, fullTo)
  const canChangePesel = person.pesel !== null && choice.identifier === 'same' && shortened
  const changePesel = t({ pl: 'Zmień identyfikator na PESEL', en: 'Change identifier to PESEL' })
  // With a newer document than the known one, neither a shorter certificate nor another identifier is needed.
  const newDocument = (
    <p>
      {t({ pl: 'Masz już nowy dokument? ', en: 'Already have a new document? ' })}
      <button type="button" className="link" aria-haspopup="dialog" onClick={onNewDocument}>
        {t(updateDocumentText)}
      </button>
    </p>
  )
  const wayOut = canChangePesel
    ? { label: changePesel, open: onChangeIdentifier }
    : { label: t(updateDocumentText), open: onNewDocument }
  return (
    <div role="status" className="wiz__notes blk">
      {hindrance ? (
        <Notice kind="warn" title={t(renewalReasonText[hindrance].what)}>
          <p>{t(adviceOn(hindrance, renewal, choice))}</p>
          {hindrance === 'VALIDITY_TOO_SHORT' && (
            <p className="btns">
              <Button variant="primary" size="s" aria-haspopup="dialog" onClick={wayOut.open}>
                {wayOut.label}
              </Button>
            </p>
          )}
          {(hindrance !== 'VALIDITY_TOO_SHORT' || canChangePesel) && newDocument}
        </Notice>
      ) : (
        shortened && (
          <Notice kind="warn">
            <p>
              <strong>
                {t({
                  pl: `Certyfikat będzie ważny o\u00a0${span} krócej.`,
                  en: `The certificate will expire ${span} early.`,
                })}
              </strong>{' '}
              {t({
                pl: `Twój dokument (${documentText[person.document!.type].pl}) wygasa ${formatDate(t.locale, to)}, a\u00a0certyfikat nie może być ważny dłużej.`,
                en: `Your ${documentText[person.document!.type].en} expires on ${formatDate(t.locale, to)}, and the certificate can’t be valid for longer.`,
              })}
            </p>
            {canChangePesel && (
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
                  {changePesel}
                </button>
              </p>
            )}
            {newDocument}
          </Notice>
        )
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
              {t({
                pl: `Wolę dotychczasowy identyfikator: ${identifierText(certificate.identifier).pl}`,
                en: `Use my ${identifierText(certificate.identifier).en} instead`,
              })}
            </button>
          </p>
        </Notice>
      )}
    </div>
  )
}
