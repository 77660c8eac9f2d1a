import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { requireElement } from '../app/element-refs.ts'
import { useText } from '../app/locale.tsx'
import { focusHeading } from '../app/page-title.ts'
import { IconButton } from './button.tsx'
import './dialog-view.css'
import { useFormState } from './form-state.ts'

export type DialogProps = {
  /** The title; another one is another step, to which the focus goes. */
  title: string
  /** Title while the form around the dialog is being sent, where the customer then has to do something else. */
  busyTitle?: string | undefined
  description?: ReactNode
  /** Removes the dialog, when the customer closes it. */
  onClose?: () => void
  /** False where neither Esc nor the scrim nor a cross closes it: while a form is being sent, unless it says otherwise. */
  isClosable?: boolean
  footer?: ReactNode
  /** `page`: a page of a document can be read in it. `sheet`: at the side and as tall as the window, on a phone all of it. */
  width?: 's' | 'm' | 'l' | 'xl' | 'page' | 'sheet'
  /** `field`: the first field if there is one, else the title. `safe`: the element marked with `data-safe`. */
  initialFocus?: 'field' | 'title' | 'safe'
  role?: 'dialog' | 'alertdialog'
  /** Whether the parts of its content are one below the other with space between them. */
  isStacked?: boolean
  children?: ReactNode
}

/**
 * Shows a modal dialog, open for as long as it is rendered. The native element traps the focus, makes the page inert and is in the top
 * layer without injecting a style, which the content security policy would block.
 */
export function DialogView({
  title: restTitle,
  busyTitle,
  description,
  onClose,
  isClosable,
  footer,
  width = 'm',
  initialFocus = 'field',
  role = 'dialog',
  isStacked,
  children,
}: DialogProps) {
  const t = useText()
  const id = useId()
  const { isSending, summary } = useFormState()
  const title = (isSending && busyTitle) || restTitle
  const close = (isClosable ?? !isSending) && onClose

  const dialog = useDialogFocus({ title, busyTitle, initialFocus })

  return (
    <dialog
      ref={dialog}
      className={`dialog dialog--${width}`}
      role={role === 'alertdialog' ? role : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      closedby={close ? 'any' : 'none'}
      onCancel={(event) => {
        // React decides whether it goes; the browser only asks.
        event.preventDefault()
        if (close) close()
      }}
    >
      <div className="dialog__head">
        <div>
          <h2 id={`${id}-title`} tabIndex={-1}>
            {title}
          </h2>
          {description && (
            <p className="subtext" id={`${id}-description`}>
              {description}
            </p>
          )}
        </div>
        {close && <IconButton icon="close" label={t({ pl: 'Zamknij', en: 'Close' })} onClick={close} />}
      </div>
      <div className="dialog__body" aria-busy={isSending || undefined}>
        {summary}
        {isStacked ? <div className="stack stack--small">{children}</div> : children}
      </div>
      {footer && <div className="dialog__foot">{footer}</div>}
    </dialog>
  )
}

type Focus = Pick<DialogProps, 'title' | 'busyTitle'> & Required<Pick<DialogProps, 'initialFocus'>>

/** Opens the dialog; the focus goes into it, to its title with another step, and back where it came from. */
function useDialogFocus({ title, busyTitle, initialFocus }: Focus) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const el = requireElement(dialog)
    const part = document.activeElement?.closest('section')?.querySelector('h2')
    if (!document.querySelector('dialog:modal')) keepScrollbarPlace()
    el.showModal()
    const first = {
      field: 'input:not([type=hidden]), select, textarea',
      safe: '[data-safe]',
      title: 'h2',
    }[initialFocus]
    ;(el.querySelector<HTMLElement>(first) ?? el.querySelector('h2'))?.focus()
    return () => {
      el.close()
      // The trigger may be gone by now, and the focus must not move to the top of the page.
      const { activeElement } = document
      if (activeElement === document.body || el.contains(activeElement)) focusHeading(part)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the first focus is given once
  }, [])

  const shown = useRef(title)
  useEffect(() => {
    // A refused form has given the focus to its field.
    if (shown.current !== title && shown.current !== busyTitle) dialog.current?.querySelector('h2')?.focus()
    shown.current = title
  }, [title, busyTitle])

  return dialog
}

/**
 * Stores the width of the scrollbar, which disappears while the page cannot scroll; a style sheet cannot know it, and a style set by script
 * is allowed (R64).
 */
function keepScrollbarPlace() {
  const { style, clientWidth } = document.documentElement
  style.setProperty('--scrollbar', `${window.innerWidth - clientWidth}px`)
}
