import { useState } from 'react'
import * as z from 'zod/mini'
import type { DeskCustomer } from '../../contract/desk/desk-customers.ts'
import {
  findMoveTarget,
  moveAtDesk,
  moveObstacles,
  type MovableKind,
  type MoveObstacle,
} from '../../contract/desk/desk-moves.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Text } from '../../contract/enums.ts'
import { ProviderId } from '../../contract/fields.ts'
import { useText } from '../app/locale.tsx'
import { call, hasFailedWith } from '../calls/api.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { DescriptionList, VerbatimRow } from '../ui/description-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import type { ProductRow } from './product-rows.ts'

type Target = Reply<typeof findMoveTarget>
type Props = {
  account: string
  kind: MovableKind
  row: ProductRow
  onMoved: (customer: DeskCustomer) => Promise<unknown>
  onClose: () => void
}

/** Asks the agent for the provider's id of the right customer, shows who that is, and asks for confirmation (DSK-21). */
export function MoveDialog({ account, kind, row, onMoved, onClose }: Props) {
  const t = useText()
  const [target, setTarget] = useState<Target>()
  // The entry stays when the agent goes back to another customer.
  const [entered, setEntered] = useState('')
  const params = { id: account, kind, object: row.id }
  const move = useAction(async (to: string) => {
    await onMoved(await call(moveAtDesk, { params, body: { to } }))
    onClose()
  })
  const raced = moveObstacles.find((obstacle) => obstacle === move.failure?.problem?.reason)
  const obstacle = target?.obstacle ?? raced
  return (
    <Dialog
      isStacked
      width="s"
      title={t({ pl: 'Przenieść do innego klienta?', en: 'Move to another customer?' })}
      description={`${row.what}, ${row.number}`}
      isClosable={!move.isBusy}
      onClose={onClose}
      footer={
        target && (
          <>
            <Button variant="quiet" onClick={() => setTarget(undefined)}>
              {t({ pl: 'Zmień klienta', en: 'Another customer' })}
            </Button>
            {!obstacle && (
              <Button variant="danger" isBusy={move.isBusy} onClick={() => void move.run(target.to.account)}>
                {t({ pl: 'Przenieś', en: 'Move' })}
              </Button>
            )}
          </>
        )
      }
    >
      {target ? (
        <>
          <TargetIdentity to={target.to} />
          {obstacle ? (
            <Notice kind="error" role="alert">
              {t(obstacleText[obstacle])}
            </Notice>
          ) : (
            <Notice kind="warning">
              {t({
                pl: 'Dotychczasowy klient przestanie to widzieć, a\u00a0zobaczy to klient powyżej.',
                en: 'The present customer will no longer see it; the customer above will.',
              })}
            </Notice>
          )}
          {!obstacle && <FailureNotice text={move.failureText} />}
        </>
      ) : (
        <TargetForm
          entered={entered}
          look={(customer) => {
            setEntered(customer)
            return call(findMoveTarget, { params, body: { customer } })
          }}
          onFound={setTarget}
        />
      )}
    </Dialog>
  )
}

const TargetFields = z.strictObject({ customer: ProviderId })

type TargetProps = { entered: string; look: (customer: string) => Promise<Target>; onFound: (target: Target) => void }

function TargetForm({ entered, look, onFound }: TargetProps) {
  const t = useText()
  const [isMissing, setIsMissing] = useState(false)
  async function submit({ customer }: z.output<typeof TargetFields>) {
    setIsMissing(false)
    try {
      onFound(await look(customer))
    } catch (error) {
      if (!hasFailedWith(error, 'not-found')) throw error
      setIsMissing(true)
    }
  }
  return (
    <Form
      className="desk-reason"
      schema={TargetFields}
      initial={{ customer: entered }}
      summary={false}
      failures={{ other: 'customer' }}
      onSubmit={submit}
    >
      <Field
        name="customer"
        label={t({
          pl: 'Identyfikator właściwego klienta u\u00a0dostawcy',
          en: 'The provider’s id of the right customer',
        })}
        autoComplete="off"
        spellCheck={false}
      />
      <FailureNotice text={isMissing && t({ pl: 'Nie ma takiego klienta.', en: 'There is no such customer.' })} />
      <Submit busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })}>{t({ pl: 'Sprawdź', en: 'Check' })}</Submit>
    </Form>
  )
}

function TargetIdentity({ to: { name, login, email, phone } }: { to: Target['to'] }) {
  const t = useText()
  return (
    <DescriptionList>
      <VerbatimRow name={t({ pl: 'Właściwy klient', en: 'Right customer' })}>{name}</VerbatimRow>
      <VerbatimRow name={t({ pl: 'Login', en: 'Username' })}>{login}</VerbatimRow>
      <VerbatimRow name={t({ pl: 'E-mail', en: 'E-mail' })}>{email}</VerbatimRow>
      <VerbatimRow name={t({ pl: 'Telefon', en: 'Phone' })}>{phone}</VerbatimRow>
    </DescriptionList>
  )
}

const obstacleText: Record<MoveObstacle, Text> = {
  same: { pl: 'To jest ten sam klient.', en: 'That is the same customer.' },
  holder: {
    pl: 'Z\u00a0danych dostawcy nie wynika, że to należy do tego klienta. Poprawić może to tylko dostawca.',
    en: 'According to the provider’s data, this does not belong to that customer. Only the provider can correct it.',
  },
  renewal: {
    pl: 'Ten certyfikat ma już odnowienie, więc zostaje, gdzie jest. Poprawić może to dostawca.',
    en: 'This certificate has a renewal, so it stays where it is. The provider can correct it.',
  },
  'status-request': {
    pl: 'Klient zlecił już zmianę statusu tego certyfikatu, więc zostaje on, gdzie jest.',
    en: 'The customer has requested another status of this certificate, so it stays where it is.',
  },
  signing: {
    pl: 'Trwa podpisywanie. Spróbuj, gdy się skończy.',
    en: 'Something is being signed. Try again when that has ended.',
  },
  app: {
    pl: 'Aplikacja jest już połączona albo zaczęto ją aktywować, więc kluczem mógł się posłużyć ktoś inny. Dalej decyduje dostawca.',
    en: 'An app is connected, or its activation has begun, so somebody else may have used the key. The provider has to decide what follows.',
  },
  'signed-document': {
    pl: 'Dokument jest już podpisany albo sprawa się skończyła, więc zostaje, gdzie jest.',
    en: 'The document is signed, or the case has ended, so it stays where it is.',
  },
  'in-use': { pl: 'Ten klient ma już dostęp do tej pieczęci.', en: 'That customer uses this seal already.' },
  'legal-hold': {
    pl: 'Usunięcie danych jednego z\u00a0tych klientów jest wstrzymane, więc wszystko zostaje, gdzie jest.',
    en: 'One of these customers is under a legal hold, so everything stays where it is.',
  },
}
