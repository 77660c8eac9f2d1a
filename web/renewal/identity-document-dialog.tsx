import { useMemo, useState } from 'react'
import type { DocumentType, Text } from '../../contract/enums.ts'
import type { IdentityDocument } from '../../contract/personal-data.ts'
import { enterIdentityDocument, type Renewal } from '../../contract/renewal.ts'
import { call, CallFailed } from '../api.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { useMove } from './current-state.ts'
import { identityDocumentForm } from './identity-document-form.ts'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void; onClose: () => void }

const kinds: readonly { value: DocumentType; label: Text; hint: Text }[] = [
  {
    value: 'DO',
    label: { pl: 'Dowód osobisty', en: 'Identity card' },
    hint: { pl: 'Trzy litery i\u00a0sześć cyfr', en: 'Polish: 3 letters, 6 digits' },
  },
  {
    value: 'PA',
    label: { pl: 'Paszport', en: 'Passport' },
    hint: { pl: 'Dwie litery i\u00a0siedem cyfr', en: 'Polish: 2 letters, 7 digits' },
  },
  {
    value: 'KP',
    label: { pl: 'Karta pobytu', en: 'Residence card' },
    hint: { pl: 'Dwie litery i\u00a0siedem cyfr', en: '2 letters, 7 digits' },
  },
  {
    value: 'MD',
    label: { pl: 'mDowód', en: 'mDowód' },
    hint: { pl: 'Cztery litery i\u00a0pięć cyfr', en: '4 letters, 5 digits' },
  },
]

/** REN-3, REN-6: new details of the identity document, for the provider to confirm. */
export function IdentityDocumentDialog({ renewal, onChanged, onClose }: Props) {
  const t = useText()
  const move = useMove()
  const [sending, setSending] = useState(false)
  const { uid, state, version, now, person, identityCheck } = renewal
  const nationality = person.nationality ?? 'PL'
  const sentBefore = identityCheck?.state === 'confirmed' ? undefined : identityCheck?.document
  const schema = useMemo(() => identityDocumentForm(nationality, new Date(now)), [nationality, now])

  async function enter(document: IdentityDocument) {
    setSending(true)
    try {
      const body = { expected: { state, version }, document }
      onChanged(await move(() => call(enterIdentityDocument, { params: { uid }, body })))
      onClose()
    } catch (error) {
      // What is shown behind the dialog is another state now, and says so.
      if (error instanceof CallFailed && error.code === 'cancelled') onClose()
      throw error
    } finally {
      setSending(false)
    }
  }

  return (
    <Form
      className="bare"
      schema={schema}
      onSubmit={enter}
      initial={initialOf(person.document, identityCheck)}
      summary={false}
    >
      <Dialog
        title={t({ pl: 'Nowe dane dokumentu tożsamości', en: 'New details of the identity document' })}
        description={t({
          pl: 'Sprawdzimy je, zanim podpiszesz umowę. O\u00a0wyniku napiszemy e-mailem.',
          en: 'We check them before you sign the agreement, and write to you with the result.',
        })}
        onClose={onClose}
        closable={!sending}
        footer={
          <>
            <Button variant="quiet" onClick={onClose} aria-disabled={sending}>
              {t({ pl: 'Anuluj', en: 'Cancel' })}
            </Button>
            <Submit>{t({ pl: 'Wyślij do sprawdzenia', en: 'Send to be checked' })}</Submit>
          </>
        }
      >
        <div className="stack" aria-busy={sending}>
          <RadioCards
            name="type"
            label={t({ pl: 'Rodzaj dokumentu', en: 'Kind of document' })}
            options={kinds.map(({ value, label, hint }) => ({ value, label: t(label), hint: t(hint) }))}
          />
          <Field
            name="number"
            className="mono"
            label={t({ pl: 'Seria i\u00a0numer', en: 'Series and number' })}
            hint={t({
              pl: 'Odstępy i\u00a0wielkość liter nie mają znaczenia.',
              en: 'Spaces and capitals make no difference.',
            })}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          <Field
            name="validTo"
            type="date"
            label={t({ pl: 'Data ważności', en: 'Expiry date' })}
            hint={t({
              pl: 'Jeśli dokument jest bezterminowy, zaznacz to niżej.',
              en: 'If the document has no expiry, tick that below.',
            })}
          />
          <Checkbox name="unlimited" defaultChecked={sentBefore?.validTo === null}>
            {t({ pl: 'Dokument jest bezterminowy', en: 'The document has no expiry' })}
          </Checkbox>
          <Field
            name="issuedBy"
            label={t({ pl: 'Organ wydający', en: 'Issuing authority' })}
            hint={t({ pl: 'Tak, jak na dokumencie.', en: 'As it stands on the document.' })}
            autoComplete="off"
          />
        </div>
      </Dialog>
    </Form>
  )
}

/** What was sent is put right where it is wrong; a new document of the old kind has a number of its own. */
function initialOf(document: IdentityDocument | null, check: Renewal['identityCheck']): Record<string, string> {
  if (check && check.state !== 'confirmed') {
    const { type, number, validTo, issuedBy } = check.document
    return { type, number, issuedBy, ...(validTo && { validTo }) }
  }
  return document ? { type: document.type, issuedBy: document.issuedBy } : {}
}
