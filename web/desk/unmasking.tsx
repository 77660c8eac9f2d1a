import { useState } from 'react'
import { unmaskDeskCustomer, type DeskCustomer } from '../../contract/desk/desk-customers.ts'
import { mayCall } from '../../contract/desk/desk-permissions.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { call } from '../api.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { DescriptionList, VerbatimRow } from '../ui/description-list.tsx'
import { ReasonForm } from './reason-form.tsx'

type Full = Reply<typeof unmaskDeskCustomer>
type Props = { id: string; masked: DeskCustomer; session: DeskSession }

/** DSK-9: masked data, and full ones after a reason, for as long as this customer is on the page. */
export function Unmasking({ id, masked, session }: Props) {
  const t = useText()
  const [full, setFull] = useState<Full>()
  const { name, login, email, phone, identificationNumber } = full ?? masked
  return (
    <>
      <DescriptionList>
        <VerbatimRow name={t({ pl: 'Imię i\u00a0nazwisko', en: 'Name' })}>{name}</VerbatimRow>
        <VerbatimRow name={t({ pl: 'Login', en: 'Username' })}>{login}</VerbatimRow>
        <VerbatimRow name={t({ pl: 'E-mail', en: 'E-mail' })}>{email}</VerbatimRow>
        <VerbatimRow name={t({ pl: 'Telefon', en: 'Phone' })}>{phone}</VerbatimRow>
        <VerbatimRow name={t({ pl: 'Numer identyfikacyjny', en: 'Identification number' })}>
          {identificationNumber ?? '–'}
        </VerbatimRow>
      </DescriptionList>
      {full ? (
        <Button onClick={() => setFull(undefined)}>{t({ pl: 'Ukryj dane', en: 'Hide the data' })}</Button>
      ) : (
        mayCall(unmaskDeskCustomer, session.roles) && (
          <ReasonForm
            label={t({ pl: 'Powód odczytu pełnych danych', en: 'Reason for viewing the full data' })}
            submit={t({ pl: 'Pokaż dane', en: 'Show the data' })}
            onSubmit={async (body) => setFull(await call(unmaskDeskCustomer, { params: { id }, body }))}
          />
        )
      )}
    </>
  )
}
