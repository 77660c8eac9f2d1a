import { useEffect, type ComponentType, useState } from 'react'
import { Route, Routes, useLocation, useParams, useNavigate } from 'react-router'
import { listDeskAudit, listDeskReaders, verifyDeskAudit } from '../../contract/desk/desk-audit.ts'
import { caseKinds, readDeskCase } from '../../contract/desk/desk-cases.ts'
import { listKeysAtDesk } from '../../contract/desk/desk-client-keys.ts'
import { readDeskCustomer } from '../../contract/desk/desk-customers.ts'
import { readHealth, readSwitches, listUndelivered, listReleasesAtDesk } from '../../contract/desk/desk-operations.ts'
import { listProposals, readProposal } from '../../contract/desk/desk-proposals.ts'
import {
  listDeskSessions,
  readDeskSession,
  type DeskSession,
  finishDeskSignIn,
} from '../../contract/desk/desk-session.ts'
import { listDeskTasks } from '../../contract/desk/desk-tasks.ts'
import { listCodesAtDesk } from '../../contract/desk/desk-vouchers.ts'
import { listWebhooksAtDesk } from '../../contract/desk/desk-webhooks.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import { hasFailedWith, ApiError, call } from '../calls/api.ts'
import { invalidate, useRead, setCached } from '../calls/reads.ts'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { ApprovalScreen } from './approval-screen.tsx'
import { ApprovalsScreen } from './approvals-screen.tsx'
import { ClientKeysScreen } from './client-keys-screen.tsx'
import { DeskCaseScreen } from './desk-case-screen.tsx'
import { DeskCustomerScreen } from './desk-customer-screen.tsx'
import { DeskFrame, staffRoleText } from './desk-frame.tsx'
import { isOpenTo } from './desk-sections.ts'
import { DeskSessionsScreen } from './desk-sessions-screen.tsx'
import { DeskSignIn } from './desk-sign-in-screen.tsx'
import { DeskTasksScreen } from './desk-tasks-screen.tsx'
import { HealthScreen } from './health-screen.tsx'
import { ReadersScreen } from './readers-screen.tsx'
import { takeReturnPath } from './recent-sign-in.tsx'
import { ReleasesScreen } from './releases-screen.tsx'
import { SwitchesScreen } from './switches-screen.tsx'
import { TrailScreen } from './trail-screen.tsx'
import { UndeliveredScreen } from './undelivered-screen.tsx'
import { useEvery } from './use-every.ts'
import { VerificationScreen } from './verification-screen.tsx'
import { VouchersScreen } from './vouchers-screen.tsx'
import { WebhooksScreen } from './webhooks-screen.tsx'

/** Interval, in milliseconds, at which the page checks whether the session has ended elsewhere. */
const sessionCheckMs = 30_000

export function DeskApp() {
  const { pathname } = useLocation()
  return pathname === '/callback' ? <DeskCallback /> : <SignedIn />
}

/** Shows the desk to a signed-in person, and the sign-in page to anybody else. */
function SignedIn() {
  const t = useText()
  const session = useRead(readDeskSession)
  const isOver = hasFailedWith(session.error, 'signed-out')
  useEvery(sessionCheckMs, () => invalidate(readDeskSession))
  const wasOpen = isOver && session.data !== undefined
  useEffect(() => {
    // A new document: nothing of a customer stays in the memory of this one.
    if (wasOpen) location.replace('/desk')
  }, [wasOpen])
  if (isOver) return <DeskSignIn />
  return (
    <Region query={session} label={t({ pl: 'Wczytujemy sesję', en: 'Loading your session' })}>
      {(own) => (
        <DeskFrame session={own}>
          <Screen session={own} />
        </DeskFrame>
      )}
    </Region>
  )
}

type DeskScreen = {
  path: string
  /** First call of the screen; a person who may make it sees the screen. */
  reads: Pick<Endpoint, 'method' | 'path'>
  Screen: ComponentType<{ session: DeskSession }>
}

const screens: readonly DeskScreen[] = [
  { path: '/customers/:id', reads: readDeskCustomer, Screen: CustomerRoute },
  { path: '/customers/:id/cases/:kind/:case', reads: readDeskCase, Screen: CaseRoute },
  { path: '/tasks', reads: listDeskTasks, Screen: DeskTasksScreen },
  { path: '/approvals', reads: listProposals, Screen: ApprovalsScreen },
  { path: '/approvals/:id', reads: readProposal, Screen: ApprovalRoute },
  { path: '/sessions', reads: listDeskSessions, Screen: DeskSessionsScreen },
  { path: '/audit', reads: listDeskAudit, Screen: TrailScreen },
  { path: '/audit/readers', reads: listDeskReaders, Screen: ReadersScreen },
  { path: '/audit/verification', reads: verifyDeskAudit, Screen: VerificationScreen },
  { path: '/operations', reads: readHealth, Screen: HealthScreen },
  { path: '/operations/messages', reads: listUndelivered, Screen: UndeliveredScreen },
  { path: '/operations/client-keys', reads: listKeysAtDesk, Screen: ClientKeysScreen },
  { path: '/operations/webhooks', reads: listWebhooksAtDesk, Screen: WebhooksScreen },
  { path: '/operations/software', reads: listReleasesAtDesk, Screen: ReleasesScreen },
  { path: '/operations/vouchers', reads: listCodesAtDesk, Screen: VouchersScreen },
  { path: '/operations/features', reads: readSwitches, Screen: SwitchesScreen },
]

/** Shows the screen at this address, or the start if the person's roles do not open it. */
function Screen({ session }: { session: DeskSession }) {
  return (
    <Routes>
      {screens
        .filter(({ reads }) => isOpenTo(session, reads))
        .map(({ path, Screen: Shown }) => (
          <Route key={path} path={path} element={<Shown session={session} />} />
        ))}
      <Route path="*" element={<DeskStart session={session} />} />
    </Routes>
  )
}

function CustomerRoute({ session }: { session: DeskSession }) {
  const id = useParams()['id']!
  return <DeskCustomerScreen key={id} id={id} session={session} />
}

function CaseRoute({ session }: { session: DeskSession }) {
  const { id, kind: named, case: uid } = useParams()
  const kind = caseKinds.find((each) => each === named)
  if (!kind) return <DeskStart session={session} />
  return <DeskCaseScreen key={uid} params={{ id: id!, kind, case: uid! }} session={session} />
}

function ApprovalRoute({ session }: { session: DeskSession }) {
  const id = useParams()['id']!
  return <ApprovalScreen key={id} id={id} session={session} />
}

function DeskStart({ session: { name, roles } }: { session: DeskSession }) {
  const t = useText()
  return (
    <>
      <PageHead title={{ pl: 'Konsola obsługi', en: 'Support desk' }} />
      <p>
        {t({ pl: 'Pracujesz jako ', en: 'You’re working as ' })}
        <b translate="no">{name}</b>
        {t({ pl: ', role: ', en: ', roles: ' })}
        {roles.map((role) => t(staffRoleText[role])).join(', ')}.
      </p>
    </>
  )
}

/** An answer of the provider works once, and a component may be mounted twice. */
let answering: Promise<DeskSession> | undefined

/** Handles the return from the OpenID provider: passes its answer to the server and removes it from the address. */
function DeskCallback() {
  const t = useText()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<ApiError>()
  useEffect(() => {
    answering ??= call(finishDeskSignIn, { body: { answer: location.search.slice(1) } })
    answering.then(
      async (session) => {
        await setCached(readDeskSession, {}, session)
        void navigate(takeReturnPath(), { replace: true })
      },
      (error: unknown) => {
        history.replaceState(history.state, '', location.pathname)
        setFailure(hasFailedWith(error) ? error : new ApiError('unexpected'))
      },
    )
  }, [navigate])

  if (!failure)
    return (
      <p className="desk-entry__wait" role="status">
        {t({ pl: 'Logujemy…', en: 'Signing you in…' })}
      </p>
    )
  const texts =
    failure.problem.reason === 'no-role'
      ? {
          pl: 'Twoje konto nie ma dostępu do konsoli. Poproś o\u00a0niego administratora.',
          en: 'Your account has no access to the desk. Ask an administrator for it.',
        }
      : failure.code === 'login-refused'
        ? { pl: 'Logowanie się nie powiodło. Spróbuj ponownie.', en: 'Signing in didn’t work. Try again.' }
        : {
            pl: 'Dostawca tożsamości teraz nie odpowiada. Spróbuj ponownie za chwilę.',
            en: 'The identity provider isn’t answering. Try again in a moment.',
          }
  return (
    <DeskSignIn>
      <Notice kind="error" role="alert">
        {t(texts)}
      </Notice>
    </DeskSignIn>
  )
}
