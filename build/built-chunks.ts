import type { Rolldown } from 'vite'
import { pages, type PageName } from '../contract/pages.ts'

/** Finds the built files that a page needs. File names are relative to the assets directory. */
export function chunksIn(output: Rolldown.RolldownOutput['output']) {
  const chunks = output.filter((file): file is Rolldown.OutputChunk => file.type === 'chunk')
  const chunkOf = (source: RegExp) =>
    required(
      chunks.find(({ moduleIds }) => moduleIds.some((id) => source.test(id))),
      String(source),
    )

  /** Finds the screen of a page: the file named after it. */
  const screenOf = (name: PageName) => chunkOf(new RegExp(`/web/[\\w-]+/${kebab(name)}-screen\\.tsx$`))

  /** Finds the layout of a signed-in page, which is loaded separately from its screen (web/start/screens.tsx). */
  function partsAround(page: PageName) {
    const { layout } = pages[page]
    return layout === 'default' || layout === 'focus' ? [chunkOf(new RegExp(`/${layout}-layout\\.tsx$`))] : []
  }

  /** Returns the entry, then the page's own chunk, then the chunks that these import. */
  function chunksOf(page: PageName) {
    const wanted = new Set([chunkOf(/\/web\/start\/main\.tsx$/), screenOf(page), ...partsAround(page)])
    for (const { imports } of wanted)
      for (const chunk of chunks) if (imports.includes(chunk.fileName)) wanted.add(chunk)
    return [...wanted]
  }

  /**
   * Returns the chunks and their imports, with the imports of a chunk before it, as when the browser loads one page after another: of equal
   * rules, the last one counts (UIX-39).
   */
  function inOrderOfImport(wanted: Rolldown.OutputChunk[], ordered = new Set<Rolldown.OutputChunk>()) {
    for (const chunk of wanted) {
      if (ordered.has(chunk)) continue
      inOrderOfImport(
        chunks.filter(({ fileName }) => chunk.imports.includes(fileName)),
        ordered,
      )
      ordered.add(chunk)
    }
    return [...ordered]
  }

  return {
    scriptsOf: (page: PageName) => chunksOf(page).map(({ fileName }) => inAssets(fileName)),
    /** The login page's notice of why a visitor arrived there, and what the link for a lost phone opens. */
    arrivalScripts: {
      login: inAssets(chunkOf(/\/arrival-notice\.tsx$/).fileName),
      lostPhone: inAssets(chunkOf(/\/lost-phone-link\.tsx$/).fileName),
    },
    stylesOf: (page: PageName) =>
      inOrderOfImport([chunkOf(/\/web\/start\/main\.tsx$/), ...partsAround(page), screenOf(page)]).flatMap(
        ({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])].map(inAssets),
      ),
    pageStyle: inAssets(
      required(
        output.find((file) => file.type === 'asset' && file.originalFileNames.includes(pageStylePath)),
        pageStylePath,
      ).fileName,
    ),
    /** The text font: its plain zero, latin, and the letters of Polish. */
    fontFiles: ['figtree-zero', 'atkinson-hyperlegible-next-latin', 'atkinson-hyperlegible-next-polish'].map((name) =>
      inAssets(
        required(
          output.find(({ fileName }) => fileName.startsWith(`assets/${name}-wght-`)),
          name,
        ).fileName,
      ),
    ),
  }
}

const pageStylePath = 'web/styles/page.css'

function required<T>(file: T | undefined, source: string): T {
  if (!file) throw new Error(`The build has no file of ${source}.`)
  return file
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const inAssets = (file: string) => file.replace(/^assets\//, '')
