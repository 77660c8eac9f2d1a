import type { PageConfig } from '../../contract/page-config.ts'

/** The runtime configuration, read from the page (HTT-2). On the server it is that of the page being rendered. */
export let config = (
  import.meta.env.SSR ? undefined : JSON.parse(document.getElementById('config')!.textContent)
) as PageConfig

export const configure = (given: PageConfig) => void (config = given)

/** Checks whether the operator has switched off a feature, named by itself or by a page or a call of it (ERR-5). */
export const isOff = (name: string) => config.off.some((feature) => name === feature || name.startsWith(`${feature}/`))
