import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Locale } from '../../../contract/enums.ts'
import type { PageConfig } from '../../../contract/page-config.ts'
import type { PageRenderer, RenderPage } from '../../../contract/page-data.ts'

/**
 * The renderer that the build has made of the web part (decision 0107), loaded for the first signed-in page; undefined without one.
 * It is outside of the source tree, so its path is computed.
 */
export function rendererOf(
  webDirectory: string,
  configs: Record<Locale, PageConfig>,
): (() => Promise<RenderPage>) | undefined {
  const file = join(webDirectory, '../render/render-page.js')
  if (!existsSync(file)) return undefined
  let opened: Promise<RenderPage> | undefined
  return () =>
    (opened ??= import(pathToFileURL(file).href)
      .then(({ openRenderer }: PageRenderer) => openRenderer(configs))
      .catch((error: unknown) => {
        // The next page tries again.
        opened = undefined
        throw error
      }))
}
