import { useState } from 'react'
import * as z from 'zod/mini'
import { cancelDocumentAtDesk, refuseUploadAtDesk } from '../../contract/desk/desk-tasks.ts'
import { RefusalReason } from '../../contract/documents.ts'
import { refusalText } from '../../contract/refusal-text.ts'
import { useText } from '../app/locale.tsx'
import { call } from '../calls/api.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Select } from '../ui/select.tsx'
import type { TaskProps } from './case-decision.tsx'
import { mailFollows } from './case-text.ts'

/** Lets an agent refuse the signed document, or cancel the case (DSK-38). */
export function DocumentTask({ found, account, onDecided }: TaskProps) {
  const t = useText()
  const [dialog, setDialog] = useState<'refuse' | 'cancel'>()
  const params = { id: account, document: found.id }
  const close = () => setDialog(undefined)
  return (
    <>
      <div className="buttons">
        {found.waits === 'document-check' && (
          <Button onClick={() => setDialog('refuse')}>
            {t({ pl: 'Odrzuć podpisany dokument', en: 'Refuse the signed document' })}
          </Button>
        )}
        <Button onClick={() => setDialog('cancel')}>{t({ pl: 'Anuluj sprawę', en: 'Cancel the case' })}</Button>
      </div>
      {dialog === 'refuse' && <RefusalDialog params={params} onDecided={onDecided} onClose={close} />}
      {dialog === 'cancel' && (
        <ConfirmDialog
          title={t({ pl: 'Anulować sprawę?', en: 'Cancel the case?' })}
          description={t({
            pl: `Sprawa zakończy się bez podpisu dostawcy.${mailFollows('document').pl} Tego nie można cofnąć.`,
            en: `The case ends without the provider’s signature.${mailFollows('document').en} This can’t be undone.`,
          })}
          label={t({ pl: 'Anuluj sprawę', en: 'Cancel the case' })}
          recommended={t({ pl: 'Wróć', en: 'Back' })}
          onConfirm={async () => onDecided('canceled', await call(cancelDocumentAtDesk, { params }))}
          onClose={close}
        />
      )}
    </>
  )
}

const RefusalForm = z.strictObject({ reason: z.enum(RefusalReason.options, 'required') })

type RefusalProps = Pick<TaskProps, 'onDecided'> & { params: { id: string; document: string }; onClose: () => void }

function RefusalDialog({ params, onDecided, onClose }: RefusalProps) {
  const t = useText()
  return (
    <FormDialog
      title={t({ pl: 'Odrzucić podpisany dokument?', en: 'Refuse the signed document?' })}
      description={t({
        pl: `Sprawa się zakończy.${mailFollows('document').pl} Tego nie można cofnąć.`,
        en: `The case ends.${mailFollows('document').en} This can’t be undone.`,
      })}
      schema={RefusalForm}
      onSubmit={async (body) => {
        await onDecided('refused', await call(refuseUploadAtDesk, { params, body }))
        onClose()
      }}
      onClose={onClose}
      isStacked
      submit={t({ pl: 'Odrzuć dokument', en: 'Refuse the document' })}
    >
      <Select
        name="reason"
        label={t({ pl: 'Powód, który przeczyta klient', en: 'Reason that the customer reads' })}
        prompt={t({ pl: 'Wybierz powód', en: 'Choose a reason' })}
        options={RefusalReason.options.map((value) => ({ value, label: refusalText[value].why[t.locale] }))}
      />
    </FormDialog>
  )
}
