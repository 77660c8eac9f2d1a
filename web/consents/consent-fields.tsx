import { useEffect, useRef, useState, type ChangeEvent, type RefObject } from 'react'
import type { Wording } from '../../contract/consents.ts'
import { statements, type ConsentKind } from '../../contract/legal/consent-statements.ts'
import { pages } from '../../contract/pages.ts'
import { config } from '../app/config.ts'
import { requireElement } from '../app/element-refs.ts'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import { addFieldTexts, type ConsentTexts } from '../text/field-text.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { useFormState } from '../ui/form-state.ts'
import { Link } from '../ui/link.tsx'
import { WordingDialog } from './wording-dialog.tsx'
import { loadWording } from './wordings.ts'

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
type OpenedDocument = { kind: Document; wording: Wording; all: boolean }

type Props = { kinds: readonly ConsentKind[]; read: Read; onRead: (kind: ConsentKind) => void }

/** Shows the consents. A document must be opened before it can be agreed to, but nobody has to scroll through it (REG-2). */
export function ConsentFields({ kinds, read, onRead }: Props) {
  const t = useText()
  const fields = useRef<HTMLFieldSetElement>(null)
  const { ticks, tick } = useTicks(kinds, fields)
  const [open, setOpen] = useState<OpenedDocument>()
  const ticked = kinds.filter((kind) => ticks[kind]).length
  const documents = kinds.filter(isDocument)
  const hasOptional = documents.length < kinds.length
  const show = async (kind: Document, all = false) => setOpen({ kind, wording: await loadWording(kind, t.locale), all })
  const unread = (but?: Document) => documents.find((kind) => kind !== but && !read.has(kind))

  function accept({ kind, all }: OpenedDocument) {
    onRead(kind)
    const next = all ? unread(kind) : undefined
    tick(true, ...(all && !next ? kinds : [kind]))
    if (next) void show(next, true)
    else setOpen(undefined)
  }

  return (
    // A press before hydration would tick a box and open nothing; the links next to it work without script.
    <fieldset ref={fields} className="consents" disabled={!useHydrated()}>
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
        <AllBox
          ticked={ticked}
          total={kinds.length}
          unread={unread()}
          onShow={(kind) => void show(kind, true)}
          onTick={(isOn) => tick(isOn, ...kinds)}
        >
          {hasOptional
            ? t({ pl: 'Zaznacz wszystkie, także opcjonalną', en: 'Select all, including the optional one' })
            : t({ pl: 'Zaznacz oba', en: 'Select both' })}
        </AllBox>
      )}
      {kinds.map((kind) => (
        <ConsentBox
          key={kind}
          kind={kind}
          isTicked={ticks[kind]}
          isRead={read.has(kind)}
          onShow={(document) => void show(document)}
          onTick={(isOn) => tick(isOn, kind)}
        />
      ))}
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

function useTicks(kinds: readonly ConsentKind[], fields: RefObject<HTMLFieldSetElement | null>) {
  const { initial } = useFormState()
  const [ticks, setTicks] = useState(
    () => Object.fromEntries(kinds.map((kind) => [kind, initial[kind] === true])) as Ticks,
  )

  // A draft of the form is restored by native events; documents read in the other language do not count as read in this one.
  useEffect(() => {
    const box = requireElement(fields)
    const restore = ({ target, isTrusted }: Event) => {
      if (isTrusted || !(target instanceof HTMLInputElement)) return
      const { name, checked } = target
      if (name === 'marketing') setTicks((now) => ({ ...now, marketing: checked }))
      else if (checked) target.checked = false
    }
    box.addEventListener('input', restore)
    return () => box.removeEventListener('input', restore)
  }, [fields])

  function tick(isOn: boolean, ...changed: readonly ConsentKind[]) {
    setTicks((now) => ({ ...now, ...Object.fromEntries(changed.map((kind) => [kind, isOn])) }))
    // The form checks on native events of named fields, a moment later (VAL-2).
    for (const kind of changed)
      fields.current?.querySelector(`[name=${kind}]`)?.dispatchEvent(new Event('change', { bubbles: true }))
  }

  return { ticks, tick }
}

type BoxProps = { onShow: (kind: Document) => void; onTick: (isOn: boolean) => void }
type AllBoxProps = BoxProps & { ticked: number; total: number; unread: Document | undefined; children: string }

/** Opens the documents that are unread one after the other before it ticks all boxes. */
function AllBox({ ticked, total, unread, onShow, onTick, children }: AllBoxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    requireElement(box).indeterminate = ticked > 0 && ticked < total
  }, [ticked, total])
  return (
    <label className="check check--all">
      <input
        ref={box}
        type="checkbox"
        checked={ticked === total}
        onClick={(event) => {
          if (ticked === total || !unread) return
          event.preventDefault()
          onShow(unread)
        }}
        onChange={({ target }) => (target.checked && unread ? undefined : onTick(target.checked))}
      />
      <span>{children}</span>
    </label>
  )
}

type ConsentBoxProps = BoxProps & { kind: ConsentKind; isTicked: boolean; isRead: boolean }

/** Shows a checkbox. While it may not be ticked yet, a click opens the document instead. */
function ConsentBox({ kind, isTicked, isRead, onShow, onTick }: ConsentBoxProps) {
  const t = useText()
  const { statement, link, more } = statements(config.brand)[kind]
  const [before, after] = link ? t(statement).split(t(link)) : [t(statement)]
  const document = isDocument(kind) ? kind : undefined
  const unread = isRead ? undefined : document
  return (
    <Checkbox
      name={kind}
      optional={kind === 'marketing'}
      checked={isTicked}
      onClick={(event) => {
        if (!unread) return
        event.preventDefault()
        onShow(unread)
      }}
      onChange={({ target }: ChangeEvent<HTMLInputElement>) => unread || onTick(target.checked)}
      hint={more && `${t(more)}.`}
    >
      {before}
      {link && document && (
        <Link
          to={pages[document].path}
          aria-haspopup="dialog"
          onClick={(event) => {
            // A new tab was requested by the visitor.
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            onShow(document)
          }}
        >
          {t(link)}
        </Link>
      )}
      {after}
    </Checkbox>
  )
}
