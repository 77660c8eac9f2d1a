import { limits } from '../../contract/limits.ts'

/**
 * Reports which fields were left or committed, 5 ms later (VAL-2). It listens to the native `focusout` and `change`, because
 * React's onChange is the `input` event, which the specification rules out.
 * Reports nothing while a pointer is down, so that no message moves a control away from it; and nothing at all when the
 * pointer goes to a link or to a button that does not submit, because a customer who leaves needs no error (ux 5.2).
 */
export function watchFields(form: HTMLFormElement, check: (names: ReadonlySet<string>) => void) {
  const stop = new AbortController()
  const { signal } = stop
  const left = new Set<string>()
  let pressed: Element | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (pressed || !left.size) return
      const names = new Set(left)
      left.clear()
      check(names)
    }, limits.validationDelayMs)
  }
  const note = (event: Event) => {
    const name = event.target instanceof Element && 'name' in event.target ? String(event.target.name) : ''
    if (!name || leadsAway(pressed) || !document.hasFocus()) return
    left.add(name)
    later()
  }
  const press = (event: PointerEvent) => {
    pressed = event.target instanceof Element ? event.target : undefined
  }
  const release = () => {
    pressed = undefined
    later()
  }

  form.addEventListener('focusout', note, { signal })
  form.addEventListener('change', note, { signal })
  document.addEventListener('pointerdown', press, { signal, capture: true })
  document.addEventListener('pointerup', release, { signal, capture: true })
  document.addEventListener('pointercancel', release, { signal, capture: true })
  return () => {
    clearTimeout(timer)
    stop.abort()
  }
}

const leadsAway = (target: Element | undefined) => !!target?.closest('a, button:not([type=submit])')
