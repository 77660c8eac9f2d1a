import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { CallFailed } from '../api.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { limits } from '../../contract/limits.ts'
import { listSignatures } from '../../contract/signatures.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { readAgain, useRead } from '../reads.ts'
import { useSession } from '../session.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AgreementWatch } from '../ui/agreement-watch.tsx'
import { ListPages } from '../ui/list-pages.tsx'
import { useWish, type Wish } from './list-wish.ts'
import { SignatureCard } from './signature-card.tsx'
import { SignatureSearch } from './signature-search.tsx'
import { validityOf } from '../text/validity.ts'

type Page = Reply<typeof listSignatures>

/** How many inactive signatures are shown before the rest is asked for (ux 8.3). */
const inactiveShown = 3

/** The signatures page by page, with search and filter once there are many. */
export function SignatureList() {
  const t = useText()
  const { wish, wants, cursors, ask, turn } = useWish()
  const heading = useRef<HTMLHeadingElement>(null)
  const cursor = cursors.at(-1)
  const query = { ...wish, ...(cursor && { cursor }) }
  const list = useRead(listSignatures, { query })
  const { data, error } = list
  const [tools, setTools] = useState(wants)
  // Once drawn they stay, so that nobody loses the field they are typing in.
  if (!tools && (data?.next || (data?.items.length ?? 0) > limits.list.toolsBeyond)) setTools(true)

  const [paged, setPaged] = useState(false)
  // No pages while one holds all; while another is being read, they stay under the finger.
  const pages = data ? !!(cursors.length || data.next || wish.size) : paged
  if (pages !== paged) setPaged(pages)

  const beginAnew = useEffectEvent(() => turn([]))
  useEffect(() => {
    // A cursor that was cut short, or is someone else's; the first page is always right.
    if (cursor && error instanceof CallFailed && error.status === 400) beginAnew()
  }, [cursor, error])

  function turnTo(page: string[]) {
    turn(page)
    heading.current!.focus()
  }

  return (
    <>
      {tools && <SignatureSearch />}
      <h2 className="vh" tabIndex={-1} ref={heading}>
        {cursors.length
          ? t({ pl: `Twoje podpisy, strona ${cursors.length + 1}`, en: `Your signatures, page ${cursors.length + 1}` })
          : t({ pl: 'Twoje podpisy', en: 'Your signatures' })}
      </h2>
      <Region
        query={list}
        skeleton={<ListSkeleton />}
        label={t({ pl: 'Wczytujemy podpisy', en: 'Loading signatures' })}
      >
        {(page) => (
          <>
            <p className="hint" role="status">
              {wants &&
                t({
                  pl: `Znaleziono: ${page.items.length}${page.next ? '+' : ''}`,
                  en: `Found: ${page.items.length}${page.next ? '+' : ''}`,
                })}
            </p>
            <Cards page={page} wish={wish} first={!cursors.length} />
            <AgreementWatch
              waiting={page.items.some(({ agreement }) => agreement === 'generating')}
              words={t({
                pl: 'To trwa dłużej niż zwykle. Podpis działa bez niej, a\u00a0umowa pojawi się tutaj.',
                en: 'This is taking longer than usual. The signature works without it, and the agreement will appear here.',
              })}
              look={() => readAgain(listSignatures, { query })}
            />
          </>
        )}
      </Region>
      {pages && (
        <ListPages
          page={cursors.length + 1}
          next={data?.next ?? null}
          size={wish.size ?? '20'}
          onBack={() => turnTo(cursors.slice(0, -1))}
          onNext={(next) => turnTo([...cursors, next])}
          onSize={(size) => ask({ size })}
        />
      )}
    </>
  )
}

function Cards({ page: { items, next }, wish, first }: { page: Page; wish: Wish; first: boolean }) {
  const t = useText()
  const { now } = useSession()
  const at = Date.parse(now)
  const [all, setAll] = useState(false)
  const revealed = useRef<HTMLLIElement>(null)
  // Only the order of urgency puts the inactive ones last; in any other they stand where they belong.
  const apart = !wish.sort || wish.sort === 'urgency'
  const inactive = items.filter(({ status }) => apart && status === 'inactive')
  const leading = items.filter((each) => !inactive.includes(each))
  // Whoever asks for the inactive ones, or has pages to turn, gets them; otherwise the first few are enough.
  const folds = !all && first && !next && !wish.status && !wish.search
  const shown = folds ? inactiveShown : inactive.length
  const hidden = inactive.length - shown
  // One view has one primary button.
  const foremost = items.find(
    (each) => each.status === 'active' && each.renewal !== 'signed' && validityOf(each, at).urgency !== 'none',
  )

  useEffect(() => {
    if (all) revealed.current?.querySelector<HTMLElement>('h3')?.focus()
  }, [all])

  if (!items.length && first) return <NoSignatures filtered={!!(wish.search || wish.status)} />
  return (
    <>
      <ul className="stack">
        {leading.map((signature) => (
          <li key={signature.id}>
            <SignatureCard signature={signature} now={at} foremost={signature === foremost} />
          </li>
        ))}
      </ul>
      {inactive.length > 0 && (
        <>
          <h2 className="h-s cert__group">{t({ pl: 'Nieaktywne', en: 'Inactive' })}</h2>
          <ul className="stack">
            {inactive.slice(0, shown).map((signature, index) => (
              <li key={signature.id} ref={index === inactiveShown ? revealed : undefined}>
                <SignatureCard signature={signature} now={at} />
              </li>
            ))}
          </ul>
        </>
      )}
      {hidden > 0 && (
        <Button className="cert__more" icon="down" onClick={() => setAll(true)}>
          {t({ pl: `Pokaż pozostałe nieaktywne (${hidden})`, en: `Show the other inactive ones (${hidden})` })}
        </Button>
      )}
    </>
  )
}

function NoSignatures({ filtered }: { filtered: boolean }) {
  const t = useText()
  const { ask } = useWish()
  return (
    <div className="card">
      {filtered ? (
        <Empty
          reason={t({
            pl: 'Żaden podpis nie pasuje do tego, czego szukasz.',
            en: 'No signature matches what you are looking for.',
          })}
          action={
            <Button onClick={() => ask({ search: '', status: '' })}>
              {t({ pl: 'Wyczyść filtry', en: 'Clear filters' })}
            </Button>
          }
        />
      ) : (
        <Empty
          reason={t({
            pl: 'Nie masz jeszcze podpisu. Pojawi się tutaj zaraz po wydaniu.',
            en: 'You have no signature yet. It appears here as soon as it is issued.',
          })}
          action={
            <ButtonLink variant="primary" href={config.brand.links.newSignature}>
              {t({ pl: 'Kup podpis', en: 'Buy a signature' })}
            </ButtonLink>
          }
        />
      )}
    </div>
  )
}

function ListSkeleton() {
  return (
    <div className="stack">
      {[1, 2].map((card) => (
        <div key={card} className="card">
          <Skeleton round lines={4} />
        </div>
      ))}
    </div>
  )
}
