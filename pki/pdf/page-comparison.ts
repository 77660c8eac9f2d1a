import { newSignatureBoxes } from './pades-boxes.ts'
import { readDisplayLists } from './page-display-list.ts'
import { readPixels } from './page-pixels.ts'
import type { OpenReader, PageBoxes, PageReader, ShownPage } from './page-reader.ts'
import { openAnyPdf } from './pdf-cipher-node.ts'

export type PageComparison = 'same' | 'different' | 'incomparable'

/** Neither sees all: each skips what the other one may show (decision 0076). */
export const pageReaders = { pixels: readPixels, displayList: readDisplayLists } satisfies Record<string, OpenReader>
export type PageReaderName = keyof typeof pageReaders

export type ComparedFiles = {
  issued: Uint8Array
  received: Uint8Array
  /** Opens either of them, where it is encrypted. */
  password?: string
}

/**
 * Whether a reader that shares no line with ours shows the same pages of both files outside of the new signatures (R107).
 * What it cannot read is `incomparable`. It takes the processor until it is done, so it belongs into a process with caps.
 */
export async function comparePages(
  { issued, received, password }: ComparedFiles,
  reader: PageReaderName,
): Promise<PageComparison> {
  const open = pageReaders[reader]
  try {
    const boxes = newSignatureBoxes(await openAnyPdf(received, password), await openAnyPdf(issued, password))
    const expected = await shownBy(await open(issued, password), boxes)
    const shown = await shownBy(await open(received, password), boxes, expected.length)
    const isSame = shown.length === expected.length && shown.every((page, index) => isAlike(page, expected[index]!))
    return isSame ? 'same' : 'different'
  } catch {
    // Whatever a reader throws, a file has made it do so.
    return 'incomparable'
  }
}

/** A new signature may show itself where nothing was; over anything else it changes what is read. */
function isAlike(received: ShownPage, issued: ShownPage) {
  if (received.outside !== issued.outside) return false
  return issued.boxes.every((content, index) => content === 'blank' || content === received.boxes[index])
}

/** Each page; none of a file with another number of pages. One file is open at a time. */
async function shownBy(reader: PageReader, boxes: PageBoxes, pages = reader.pages): Promise<ShownPage[]> {
  const shown: ShownPage[] = []
  if (reader.pages === pages)
    for (let index = 0; index < pages; index++) shown.push(await reader.page(index, boxes.get(index) ?? []))
  await reader.close()
  return shown
}
