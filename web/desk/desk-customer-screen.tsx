import { useState } from 'react'
import { resendMessagesAtDesk } from '../../contract/desk/desk-cases.ts'
import {
  endSessionsAtDesk,
  readDeskCustomer,
  sendLinkAtDesk,
  unblockAtDesk,
  type DeskCustomer,
  unmaskDeskCustomer,
} from '../../contract/desk/desk-customers.ts'
import { mayCall } from '../../contract/desk/desk-permissions.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { useText } from '../app/locale.tsx'
import { usePage } from '../app/page-title.ts'
import { call } from '../calls/api.ts'
import { setCached, useRead } from '../calls/reads.ts'
import { formatDateTime } from '../text/format.ts'
import { LookBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { DescriptionList, Row, VerbatimRow } from '../ui/description-list.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { CustomerProposals } from './customer-proposals.tsx'
import { linkTooEarly } from './desk-failure-text.ts'
import { ProductsCard } from './desk-products.tsx'
import { obstacleText, identityStateLook } from './obstacle-text.ts'
import { ReasonForm } from './reason-form.tsx'

/** Shows a customer with masked data, the reasons why they cannot sign in, and the actions of an agent (DSK-9 to DSK-11). */
export function DeskCustomerScreen({ id, session }: { id: string; session: DeskSession }) {
  const t = useText()
  const customer = useRead(readDeskCustomer, { params: { id } })
  return (
    <Region query={customer} label={t({ pl: 'Wczytujemy klienta', en: 'Loading the customer' })}>
      {(found) => <Customer customer={found} session={session} />}
    </Region>
  )
}

function Customer({ customer, session }: { customer: DeskCustomer; session: DeskSession }) {
  const t = useText()
  const { account, name, state } = customer
  // The title of the document is in the browser's history, where no name belongs (R86).
  usePage({ title: { pl: 'Klient', en: 'Customer' } })
  return (
    <>
      <div className="desk-customer__head">
        <div className="page__head">
          <h1 translate="no">{name}</h1>
        </div>
        <LookBadge look={identityStateLook[state]} />
      </div>
      <div className="desk-customer">
        <section aria-labelledby="why">
          <h2 id="why">{t({ pl: 'Co przeszkadza w logowaniu', en: 'What prevents sign-in' })}</h2>
          <Obstacles customer={customer} />
          <Actions customer={customer} session={session} />
        </section>
        <section aria-labelledby="who">
          <h2 id="who">{t({ pl: 'Dane', en: 'Data' })}</h2>
          <Identity key={account} customer={customer} session={session} />
        </section>
        <CustomerProposals customer={customer} session={session} />
      </div>
      <ProductsCard key={account} customer={customer} session={session} />
    </>
  )
}

function Obstacles({ customer: { obstacles } }: { customer: DeskCustomer }) {
  const t = useText()
  if (!obstacles.length)
    return (
      <Notice kind="ok">
        {t({
          pl: 'Nic nie przeszkadza w\u00a0logowaniu: konto jest aktywne, a\u00a0żaden limit nie jest wyczerpany.',
          en: 'Nothing is in the way: the account is active and no limit is reached.',
        })}
      </Notice>
    )
  return (
    <ul className="desk-obstacles">
      {obstacles.map((obstacle) => {
        const { what, cause, help } = obstacleText(t.locale, obstacle)
        return (
          // Two messages of one minute have the same text.
          <li key={JSON.stringify(obstacle)}>
            <b>{what}</b>
            {cause !== undefined && (
              <span>
                {t({ pl: 'Przyczyna: ', en: 'Cause: ' })}
                <span lang="en">{cause}</span>
              </span>
            )}
            <span>{help}</span>
          </li>
        )
      })}
    </ul>
  )
}

function Identity({ customer, session }: { customer: DeskCustomer; session: DeskSession }) {
  const t = useText()
  const { account, lastSignIn, createdAt, sessions, customer: providerId } = customer
  return (
    <>
      <Unmasking id={account} masked={customer} session={session} />
      <DescriptionList>
        <Row name={t({ pl: 'Identyfikator u\u00a0dostawcy', en: 'Provider’s id' })}>{providerId ?? '–'}</Row>
        <Row name={t({ pl: 'Język', en: 'Language' })}>
          {customer.locale === 'pl' ? t({ pl: 'polski', en: 'Polish' }) : t({ pl: 'angielski', en: 'English' })}
        </Row>
        <Row name={t({ pl: 'Ostatnie logowanie', en: 'Last sign-in' })}>
          {lastSignIn ? formatDateTime(t.locale, lastSignIn) : '–'}
        </Row>
        <Row name={t({ pl: 'Trwające sesje', en: 'Live sessions' })}>{sessions}</Row>
        <Row name={t({ pl: 'Konto od', en: 'Account since' })}>{formatDateTime(t.locale, createdAt)}</Row>
      </DescriptionList>
    </>
  )
}

const actions = {
  unblock: {
    endpoint: unblockAtDesk,
    label: { pl: 'Odblokuj', en: 'Unblock' },
    title: { pl: 'Odblokować konto?', en: 'Unblock the account?' },
    effect: {
      pl: 'Klient zaloguje się obecnym hasłem. Błędne hasła i\u00a0kody liczymy od nowa.',
      en: 'The customer can sign in with the present password. Wrong passwords and codes are counted from zero.',
    },
    done: { pl: 'Konto odblokowane.', en: 'The account is unblocked.' },
  },
  messages: {
    endpoint: resendMessagesAtDesk,
    label: { pl: 'Wyślij wiadomości ponownie', en: 'Send the messages again' },
    title: { pl: 'Wysłać niedoręczone wiadomości ponownie?', en: 'Send the undelivered messages again?' },
    effect: {
      pl: 'Trafią na adres i\u00a0numer z\u00a0konta. Kod, który stracił ważność, nie zostanie wysłany: klient zamawia nowy.',
      en: 'They go to the address and the number of the account. An expired code isn’t sent: the customer asks for a new one.',
    },
    done: { pl: 'Wiadomości czekają na wysłanie.', en: 'The messages are about to be sent.' },
  },
  link: {
    endpoint: sendLinkAtDesk,
    label: { pl: 'Wyślij link do hasła', en: 'Send a password link' },
    title: { pl: 'Wysłać link do ustawienia hasła?', en: 'Send the link that sets a password?' },
    effect: {
      pl: 'Link trafi na adres e-mail z\u00a0konta i\u00a0zadziała raz.',
      en: 'The link goes to the e-mail address of the account, and works once.',
    },
    done: { pl: 'Link wysłany.', en: 'The link was sent.' },
  },
  sessions: {
    endpoint: endSessionsAtDesk,
    label: { pl: 'Zakończ wszystkie sesje', en: 'End all sessions' },
    title: { pl: 'Zakończyć wszystkie sesje?', en: 'End all sessions?' },
    effect: {
      pl: 'Klient zostanie wylogowany ze wszystkich urządzeń.',
      en: 'The customer is signed out on every device.',
    },
    done: { pl: 'Sesje zakończone.', en: 'The sessions were ended.' },
  },
} as const
type ActionName = keyof typeof actions

function Actions({ customer, session }: { customer: DeskCustomer; session: DeskSession }) {
  const t = useText()
  const [asked, setAsked] = useState<ActionName>()
  const [done, setDone] = useState<ActionName>()
  const offered: Record<ActionName, boolean> = {
    unblock: customer.obstacles.some(
      (obstacle) =>
        obstacle.kind === 'blocked' || (obstacle.kind === 'limit' && obstacle.limit === 'codes-never-right'),
    ),
    messages: customer.obstacles.some(({ kind }) => kind === 'undelivered'),
    link: customer.state !== 'registered',
    sessions: customer.sessions > 0,
  }
  const names = (Object.keys(actions) as ActionName[]).filter(
    (name) => offered[name] && mayCall(actions[name].endpoint, session.roles),
  )
  return (
    <>
      <div className="buttons">
        {names.map((name) => (
          <Button key={name} variant={name === 'unblock' ? 'primary' : 'secondary'} onClick={() => setAsked(name)}>
            {t(actions[name].label)}
          </Button>
        ))}
      </div>
      <div role="status">{done && <Notice kind="ok">{t(actions[done].done)}</Notice>}</div>
      {asked && (
        <ActionDialog
          name={asked}
          account={customer.account}
          onDone={() => setDone(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

type Props = { name: ActionName; account: string; onDone: () => void; onClose: () => void }

function ActionDialog({ name, account, onDone, onClose }: Props) {
  const t = useText()
  const { endpoint, label, title, effect } = actions[name]
  async function confirm() {
    const params = { id: account }
    await setCached(readDeskCustomer, { params }, await call(endpoint, { params }))
    onDone()
  }
  return (
    <ConfirmDialog
      title={t(title)}
      description={t(effect)}
      label={t(label)}
      {...(name === 'link' && { failures: { 'resend-too-early': linkTooEarly } })}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

type Full = Reply<typeof unmaskDeskCustomer>
type UnmaskingProps = { id: string; masked: DeskCustomer; session: DeskSession }

/** Shows masked data, and full data after a reason is given, for as long as this customer is on the page (DSK-9). */
function Unmasking({ id, masked, session }: UnmaskingProps) {
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
