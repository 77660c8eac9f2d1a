import { createElement, use, type ComponentType } from 'react'
import { CallFailed } from './api.ts'

type OnDemand<Props> = ComponentType<Props> & {
  /** Starts the loading before it is rendered. A failure is met again, and told, when it is. */
  preload: () => void
}

/**
 * A component whose code is loaded when it is first needed. Unlike React.lazy it renders at once when the code is there
 * already; lazy shows its fallback for a moment, and React then holds the content back for 300 ms.
 * Code that does not load is asked for once more, for a short break in the network; then the error screen comes (ERR-4),
 * or without a network the words for that.
 */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<ComponentType<Props>> | undefined
  const start = () =>
    (loading ??= load()
      .catch(load)
      .catch((error: unknown) => {
        throw navigator.onLine ? error : new CallFailed('offline')
      })
      .then((component) => (loaded = component)))
  const Component = (props: Props) => createElement(loaded ?? use(start()), props)
  return Object.assign(Component, { preload: () => void start().catch(() => undefined) })
}
