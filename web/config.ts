import type { PageConfig } from '../contract/page-config.ts'
import { brandMarkers } from '../contract/page-markers.ts'

/**
 * The runtime configuration, read from the page (HTT-2). While pages are prerendered there is none yet: they carry
 * markers, which the server fills in once, so one build serves every brand.
 */
export const config: PageConfig = import.meta.env.SSR
  ? {
      baseURL: '',
      assets: '/assets/',
      botCheck: { kind: 'altcha', siteKey: '' },
      brand: brandMarkers,
      demonstration: false,
    }
  : (JSON.parse(document.getElementById('config')!.textContent) as PageConfig)
