import { useEffect, useRef, useState, type ChangeEvent, type MouseEvent } from 'react'
import { statements, type ConsentKind } from '../../contract/legal/consent-statements.ts'
import type { Wording } from '../../contract/consents.ts'
import { pages } from '../../contract/pages.ts'
import { config } from '../config.ts'
import { useHydrated } from '../hydrated.tsx'
import { useText } from '../locale.tsx'
import { addFieldTexts, type ConsentTexts } from '../text/field-text.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { useFormState } from '../ui/form-state.ts'
import { Link } from '../ui/link.tsx'
import { elementOf } from '../element.ts'
import { WordingDialog } from './wording-dialog.tsx'
import { loadWording } from './wordings.ts'
import './consent-fields.css'

const problemTexts: ConsentTexts = {
  'terms-required': { pl: 'Zaakceptuj regulamin', en: 'Accept the terms' },
  'privacy-required': {
    pl: 'Potwierdź, że znasz informację o\u00a0przetwarzaniu danych',
    en: 'Confirm that you’ve read the privacy notice',
  },
}
addFieldTexts(problemTexts)

/** The documents that have been opened: only those can be agreed to (REG-2). */
export type Read = ReadonlySet<ConsentKind>

type Document = 'terms' | 'privacy'
const isDocument = (kind: ConsentKind): kind is Document => kind !== 'marketing'
type Ticks = Record<ConsentKind, boolean>
/** The document that is open, and whether everything is to be ticked once all of them are read. */
type Open = { kind: Document; wording: Wording; all: boolean }

type Props = { kinds: readonly ConsentKind[]; read: Read; onRead: (kind: ConsentKind) => void }

/** REG-2: a document is opened before it can be agreed to; nobody has to scroll through it. */
export function ConsentFields({ kinds, read, onRead }: Props) {
  const t = useText()
  const hydrated = useHydrated()
  const { initial } = useFormState()
  const fields = useRef<HTMLFieldSetElement>(null)
  const every = useRef<HTMLInputElement>(null)
  const [ticks, setTicks] = useState(
    () => Object.fromEntries(kinds.map((kind) => [kind, initial[kind] === true])) as Ticks,
  )
  const [open, setOpen] = useState<Open>()
  const ticked = kinds.filter((kind) => ticks[kind]).length
  const texts = statements(config.brand)
  const documents = kinds.filter(isDocument)
  const hasOptional = documents.length < kinds.length

  useEffect(() => {
    if (every.current) every.current.indeterminate = ticked > 0 && ticked < kinds.length
  }, [ticked, kinds])

  // A draft of the form is restored by native events; documents read in the other language do not count as read in this one.
  useEffect(() => {
    const box = elementOf(fields)
    const restore = ({ target, isTrusted }: Event) => {
      if (isTrusted || !(target instanceof HTMLInputElement)) return
      const { name, checked } = target
      if (name === 'marketing') setTicks((now) => ({ ...now, marketing: checked }))
      else if (checked) target.checked = false
    }
    box.addEventListener('input', restore)
    return () => box.removeEventListener('input', restore)
  }, [])

  function tick(on: boolean, ...changed: readonly ConsentKind[]) {
    setTicks((now) => ({ ...now, ...Object.fromEntries(changed.map((kind) => [kind, on])) }))
    // The form checks on native events of named fields, a moment later (VAL-2).
    for (const kind of changed)
      fields.current?.querySelector(`[name=${kind}]`)?.dispatchEvent(new Event('change', { bubbles: true }))
  }

  const show = async (kind: Document, all = false) => setOpen({ kind, wording: await loadWording(kind, t.locale), all })
  const unread = (but?: Document) => documents.find((kind) => kind !== but && !read.has(kind))

  /** A box that may not be ticked yet opens the document instead. */
  const holdBack = (event: MouseEvent, needed: Document | undefined, all = false) => {
    if (!needed) return
    event.preventDefault()
    void show(needed, all)
  }

  function accept({ kind, all }: Open) {
    onRead(kind)
    const next = all ? unread(kind) : undefined
    if (next) {
      tick(true, kind)
      void show(next, true)
    } else {
      tick(true, ...(all ? kinds : [kind]))
      setOpen(undefined)
    }
  }

  const box = (kind: ConsentKind) => {
    const { statement, link, more } = texts[kind]
    const needed = isDocument(kind) && !read.has(kind) ? kind : undefined
    const [before, after] = link ? t(statement).split(t(link)) : [t(statement)]
    return (
      <Checkbox
        key={kind}
        name={kind}
        optional={kind === 'marketing'}
        checked={ticks[kind]}
        onClick={(event) => holdBack(event, needed)}
        onChange={({ target }: ChangeEvent<HTMLInputElement>) => needed || tick(target.checked, kind)}
        hint={more && `${t(more)}.`}
      >
        {before}
        {link && isDocument(kind) && (
          <Link
            to={pages[kind].path}
            aria-haspopup="dialog"
            onClick={(event) => {
              // A new tab was requested by the visitor.
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              void show(kind)
            }}
          >
            {t(link)}
          </Link>
        )}
        {after}
      </Checkbox>
    )
  }

  return (
    // A press before hydration would tick a box and open nothing; the links next to it work without script.
    <fieldset ref={fields} className="consents" disabled={!hydrated}>
      <legend>
        {hasOptional
          ? t({ pl: 'Oświadczenia i\u00a0zgody', en: 'Terms and consents' })
          : t({ pl: 'Oświadczenia', en: 'Terms and privacy' })}
      </legend>
      <p className="hint">
        {documents.length > 1
          ? t({
              pl: 'Otwórz regulamin i\u00a0informację o\u00a0przetwarzaniu danych, zanim zaznaczysz pola.',
              en: 'Open the terms and the privacy notice before you tick the boxes.',
            })
          : t({ pl: 'Otwórz dokument, zanim zaznaczysz pole.', en: 'Open the document before you tick the box.' })}
      </p>
      {kinds.length > 1 && (
        <label className="check check--all">
          <input
            ref={every}
            type="checkbox"
            checked={ticked === kinds.length}
            onClick={(event) => ticked < kinds.length && holdBack(event, unread(), true)}
            onChange={({ target }) => (target.checked && unread() ? undefined : tick(target.checked, ...kinds))}
          />
          <span>
            {hasOptional
              ? t({ pl: 'Zaznacz wszystkie, także opcjonalną', en: 'Select all, including the optional one' })
              : t({ pl: 'Zaznacz oba', en: 'Select both' })}
          </span>
        </label>
      )}
      {kinds.map(box)}
      {open && (
        <WordingDialog
          key={open.kind}
          wording={open.wording}
          onClose={() => {
            onRead(open.kind)
            setOpen(undefined)
          }}
          footer={
            <Button variant="primary" onClick={() => accept(open)}>
              {open.kind === 'terms'
                ? t({ pl: 'Akceptuję regulamin', en: 'Accept the terms' })
                : t({ pl: 'Potwierdzam zapoznanie się', en: 'I’ve read this notice' })}
            </Button>
          }
        />
      )}
    </fieldset>
  )
}
