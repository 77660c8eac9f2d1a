import { useEffect, useRef, useState, type ChangeEvent, type MouseEvent } from 'react'
import { consentKinds, statements, type ConsentKind } from '../../contract/legal/consent-statements.ts'
import type { Wording } from '../../contract/consents.ts'
import { pages } from '../../contract/pages.ts'
import { config } from '../config.ts'
import { useHydrated } from '../hydrated.tsx'
import { useLocale, useText } from '../locale.tsx'
import { addFieldTexts, type ConsentTexts } from '../text/field-text.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { useFormState } from '../ui/form-state.ts'
import { Link } from '../ui/link.tsx'
import { WordingDialog } from '../consents/wording-dialog.tsx'
import { loadWording } from '../consents/wordings.ts'
import { elementOf } from '../element.ts'

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
const documents: readonly Document[] = ['terms', 'privacy']
const isDocument = (kind: ConsentKind): kind is Document => kind !== 'marketing'
type Ticks = Record<ConsentKind, boolean>
/** The document that is open, and whether everything is to be ticked once all of them are read. */
type Open = { kind: Document; wording: Wording; all: boolean }

/** REG-2: a document is opened before it can be agreed to; nobody has to scroll through it. */
export function ConsentFields({ read, onRead }: { read: Read; onRead: (kind: ConsentKind) => void }) {
  const t = useText()
  const locale = useLocale()
  const hydrated = useHydrated()
  const { initial } = useFormState()
  const fields = useRef<HTMLFieldSetElement>(null)
  const every = useRef<HTMLInputElement>(null)
  const [ticks, setTicks] = useState(
    () => Object.fromEntries(consentKinds.map((kind) => [kind, initial[kind] === true])) as Ticks,
  )
  const [open, setOpen] = useState<Open>()
  const ticked = consentKinds.filter((kind) => ticks[kind]).length
  const texts = statements(config.brand)

  useEffect(() => {
    elementOf(every).indeterminate = ticked > 0 && ticked < consentKinds.length
  }, [ticked])

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

  function tick(on: boolean, ...kinds: readonly ConsentKind[]) {
    setTicks((now) => ({ ...now, ...Object.fromEntries(kinds.map((kind) => [kind, on])) }))
    // The form checks on native events of named fields, a moment later (VAL-2).
    for (const kind of kinds)
      fields.current?.querySelector(`[name=${kind}]`)?.dispatchEvent(new Event('change', { bubbles: true }))
  }

  const show = async (kind: Document, all = false) => setOpen({ kind, wording: await loadWording(kind, locale), all })
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
      tick(true, ...(all ? consentKinds : [kind]))
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
      <legend>{t({ pl: 'Oświadczenia i\u00a0zgody', en: 'Terms and consents' })}</legend>
      <p className="hint">
        {t({
          pl: 'Otwórz regulamin i\u00a0informację o\u00a0przetwarzaniu danych, zanim zaznaczysz pola.',
          en: 'Open the terms and the privacy notice before you tick the boxes.',
        })}
      </p>
      <label className="check check--all">
        <input
          ref={every}
          type="checkbox"
          checked={ticked === consentKinds.length}
          onClick={(event) => ticked < consentKinds.length && holdBack(event, unread(), true)}
          onChange={({ target }) => (target.checked && unread() ? undefined : tick(target.checked, ...consentKinds))}
        />
        <span>{t({ pl: 'Zaznacz wszystkie, także opcjonalną', en: 'Select all, including the optional one' })}</span>
      </label>
      {consentKinds.map(box)}
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
