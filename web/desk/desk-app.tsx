import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { readDeskSession, type DeskSession } from '../../contract/desk/desk-session.ts'
import { failedWith } from '../api.ts'
import { invalidate, useRead } from '../reads.ts'
import { Region } from '../ui/region.tsx'
import { useText } from '../locale.tsx'
import { DeskCallback } from './desk-callback.tsx'
import { DeskCustomerScreen } from './desk-customer-screen.tsx'
import { DeskFrame } from './desk-frame.tsx'
import { DeskSignIn } from './desk-sign-in-screen.tsx'
import { DeskSessionsScreen } from './desk-sessions-screen.tsx'
import { DeskStart } from './desk-start-screen.tsx'

/** How soon the page notices that the session has ended elsewhere. */
const askEveryMs = 30_000

export function DeskApp() {
  const { pathname } = useLocation()
  return pathname === '/callback' ? <DeskCallback /> : <SignedIn />
}

/** The desk of somebody who has signed in; anybody else gets the page that starts it. */
function SignedIn() {
  const t = useText()
  const session = useRead(readDeskSession)
  const isOver = failedWith(session.error, 'signed-out')
  useEffect(() => {
    const timer = setInterval(() => void invalidate(readDeskSession), askEveryMs)
    return () => clearInterval(timer)
  }, [])
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

function Screen({ session }: { session: DeskSession }) {
  const { pathname } = useLocation()
  const customer = /^\/customers\/([\w-]+)$/.exec(pathname)?.[1]
  if (customer) return <DeskCustomerScreen key={customer} id={customer} session={session} />
  if (pathname === '/sessions') return <DeskSessionsScreen session={session} />
  return <DeskStart session={session} />
}
