import { createElement, use, useEffect, useReducer, useState, type ComponentType, type ReactNode } from 'react'
import { CallFailed } from './api.ts'

type OnDemand<Props> = ComponentType<Props> & {
  /** Starts the loading before it is rendered. A failure is met again, and told, when it is. */
  preload: () => void
}

/**
 * Code that does not load is asked for once more, for a short break in the network; then the error screen comes (ERR-4),
 * or without a network the words for that.
 */
function loading<Props>(load: () => Promise<ComponentType<Props>>) {
  let begun: Promise<ComponentType<Props>> | undefined
  const code = {
    loaded: undefined as ComponentType<Props> | undefined,
    start: () =>
      (begun ??= load()
        .catch(load)
        .catch((error: unknown) => {
          throw navigator.onLine ? error : new CallFailed('offline')
        })
        .then((component) => (code.loaded = component))),
    preload: () => void code.start().catch(() => undefined),
  }
  return code
}

/** A screen or layout whose code is loaded when it is first needed; navigation waits for it on the page before. */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  const code = loading(load)
  const Component = (props: Props) => createElement(code.loaded ?? use(code.start()), props)
  return Object.assign(Component, { preload: code.preload })
}

/**
 * A part of a page, such as a dialog, whose code is loaded when it is first needed; until then `meanwhile` stands there.
 * It does not suspend: React holds back for 300 ms whatever comes after a fallback.
 */
export function partOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): OnDemand<Props> {
  const code = loading(load)
  function Part(props: Props) {
    const [, show] = useReducer((times: number) => times + 1, 0)
    const [failure, setFailure] = useState<{ error: unknown }>()
    useEffect(() => {
      if (!code.loaded) code.start().then(show, (error: unknown) => setFailure({ error }))
    }, [])
    if (failure) throw failure.error
    return code.loaded ? createElement(code.loaded, props) : meanwhile
  }
  return Object.assign(Part, { preload: code.preload })
}
