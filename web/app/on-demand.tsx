import { createElement, use, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { ApiError, isReached, pageServices } from '../calls/api.ts'

type OnDemand<Props> = ComponentType<Props> & {
  /** Starts loading before it is rendered, and resolves when that is over. A failure happens again, and is shown, when it is. */
  preload: () => Promise<unknown>
}

type OnDemandCode<Props> = {
  loaded: ComponentType<Props> | undefined
  start: () => Promise<ComponentType<Props>>
  /** Lets the next `start` request the code again. */
  reset: () => void
  preload: () => Promise<unknown>
}

/**
 * Loads code on demand. Code that does not load is requested again, in case the network was down briefly; then the error screen is shown
 * (ERR-4), or a message of its own where the portal cannot be reached, which the browser may not know.
 */
function loading<Props>(load: () => Promise<ComponentType<Props>>) {
  let begun: Promise<ComponentType<Props>> | undefined
  const code: OnDemandCode<Props> = {
    loaded: undefined,
    start: () =>
      (begun ??= load()
        .catch(load)
        .catch(async (error: unknown) => {
          throw (await isReached()) ? error : new ApiError('offline')
        })
        .then((component) => (code.loaded = component))),
    reset: () => (begun = undefined),
    preload: () => code.start().catch(() => undefined),
  }
  return code
}

/** Returns a screen or layout whose code is loaded when it is first needed; navigation waits for it on the page before. */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  const code = loading(load)
  const Component = (props: Props) => createElement(code.loaded ?? use(code.start()), props)
  return Object.assign(Component, { preload: code.preload })
}

/**
 * Returns a part of a page, such as a dialog, whose code is loaded when it is first needed; until then `meanwhile` is shown. The part does
 * not suspend, because React delays what follows a fallback by 300 ms. Where the portal cannot be reached, the page around it stays: what
 * was opened is closed again, and the frame says why.
 */
export function partOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): OnDemand<Props> {
  const code = loading(load)
  function Part(props: Props) {
    const [end, setEnd] = useState<{ error?: unknown }>()
    useEffect(() => {
      if (!code.loaded)
        code.start().then(
          () => setEnd({}),
          (error: unknown) => {
            code.reset()
            if (!pageServices().isPartMissing?.(error, props)) setEnd({ error })
          },
        )
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
    }, [])
    if (end?.error) throw end.error
    return code.loaded ? createElement(code.loaded, props) : meanwhile
  }
  return Object.assign(Part, { preload: code.preload })
}
