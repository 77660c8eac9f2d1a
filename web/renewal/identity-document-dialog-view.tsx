import { type Text, keysOf } from '../../contract/enums.ts'
import type { IdentityDocument, DocumentType } from '../../contract/identification.ts'
import { enterIdentityDocument, type Renewal } from '../../contract/renewal.ts'
import { useText } from '../app/locale.tsx'
import { call, hasFailedWith } from '../calls/api.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { DateField } from '../ui/date-field.tsx'
import { CodeTextField, Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { identityDocumentForm, updateDocumentText } from './identity-document-form.ts'
import { useRenewalCall } from './renewal-move.ts'

export type IdentityDocumentProps = { renewal: Renewal; onChanged: (renewal: Renewal) => void; onClose: () => void }

const kindText: Record<DocumentType, Text> = {
  DO: { pl: 'Dowód osobisty', en: 'Identity card' },
  PA: { pl: 'Paszport', en: 'Passport' },
  KP: { pl: 'Karta pobytu', en: 'Residence card' },
  MD: { pl: 'mDowód', en: 'mDowód (digital ID)' },
}

const numberHint: Record<DocumentType, Text> = {
  DO: { pl: 'Trzy litery i\u00a0sześć cyfr', en: 'Polish: 3 letters, 6 digits' },
  PA: { pl: 'Dwie litery i\u00a0siedem cyfr', en: 'Polish: 2 letters, 7 digits' },
  KP: { pl: 'Dwie litery i\u00a0siedem cyfr', en: '2 letters, 7 digits' },
  MD: { pl: 'Cztery litery i\u00a0pięć cyfr', en: '4 letters, 5 digits' },
}

/** Asks for new details of the identity document, which the provider confirms (REN-3, REN-6). */
export function IdentityDocumentDialogView({ renewal, onChanged, onClose }: IdentityDocumentProps) {
  const t = useText()
  const move = useRenewalCall()
  const { uid, state, version, now, person, identityCheck } = renewal
  const nationality = person.nationality ?? 'PL'
  const sentBefore = identityCheck?.state === 'confirmed' ? undefined : identityCheck?.document

  async function enter(document: IdentityDocument) {
    try {
      const body = { expected: { state, version }, document }
      onChanged(await move(() => call(enterIdentityDocument, { params: { uid }, body })))
      onClose()
    } catch (error) {
      // The page behind the dialog shows another state now, with a notice.
      if (hasFailedWith(error, 'canceled')) onClose()
      throw error
    }
  }

  return (
    <FormDialog
      schema={identityDocumentForm(nationality, new Date(now))}
      onSubmit={enter}
      initial={initialOf(person.document, identityCheck)}
      title={t(updateDocumentText)}
      description={t({
        pl: 'Sprawdzimy je, zanim podpiszesz umowę. Wynik wyślemy e-mailem.',
        en: 'We’ll check them before you sign the agreement, and e-mail you the result.',
      })}
      onClose={onClose}
      submit={t({ pl: 'Wyślij do sprawdzenia', en: 'Send for checking' })}
    >
      <div className="stack">
        <RadioCards
          name="type"
          label={t({ pl: 'Rodzaj', en: 'Type' })}
          options={keysOf(kindText).map((value) => ({ value, label: t(kindText[value]), hint: t(numberHint[value]) }))}
        />
        <CodeTextField
          name="number"
          label={t({ pl: 'Seria i\u00a0numer', en: 'Number' })}
          hint={t({
            pl: 'Spacje i\u00a0wielkość liter nie mają znaczenia.',
            en: 'Spaces and upper or lower case don’t matter.',
          })}
        />
        <DateField
          name="validTo"
          label={t({ pl: 'Ważny do', en: 'Valid until' })}
          hint={t({
            pl: 'Jeśli dokument jest bezterminowy, zaznacz to poniżej.',
            en: 'If the document has no expiry date, tick the box below.',
          })}
        />
        <Checkbox name="unlimited" aria-required={false} defaultChecked={sentBefore?.validTo === null}>
          {t({ pl: 'Dokument jest bezterminowy', en: 'The document has no expiry date' })}
        </Checkbox>
        <Field
          name="issuedBy"
          label={t({ pl: 'Wydany przez', en: 'Issued by' })}
          hint={t({ pl: 'Tak jak na dokumencie.', en: 'As on the document.' })}
          autoComplete="off"
        />
      </div>
    </FormDialog>
  )
}

/**
 * Returns the details that were sent, to be corrected; else those of the known document without its number, because a new document of the
 * same kind has its own.
 */
function initialOf(document: IdentityDocument | null, check: Renewal['identityCheck']): Record<string, string> {
  if (check && check.state !== 'confirmed') {
    const { type, number, validTo, issuedBy } = check.document
    return { type, number, issuedBy, ...(validTo && { validTo }) }
  }
  return document ? { type: document.type, issuedBy: document.issuedBy } : {}
}
