import type { PageConfig } from '../contract/page-config.ts'
import { brandMarkers, claimMarkers } from '../contract/page-markers.ts'

/**
 * The runtime configuration, read from the page (HTT-2). Prerendered pages do not have one yet: they carry
 * markers, which the server fills in once, so one build serves every brand.
 */
export let config: PageConfig = import.meta.env.SSR
  ? {
      baseURL: '',
      assets: '/assets/',
      botCheck: { kind: 'altcha', siteKey: '' },
      brand: brandMarkers,
      claim: claimMarkers,
      off: [],
      demonstration: false,
      activation: 'provider',
    }
  : (JSON.parse(document.getElementById('config')!.textContent) as PageConfig)

/** The server renders pages with the configuration that it puts into them. */
export const configure = (given: PageConfig) => void (config = given)

/** Whether the operator has switched a feature off, or a page or a call of it (ERR-5). */
export const isOff = (name: string) => config.off.some((feature) => name === feature || name.startsWith(`${feature}/`))
