import { newSignatureBoxes, type PageBoxes } from './new-signature-boxes.ts'
import { openAnyPdf } from './open-any-pdf.ts'
import { readPixels, type PageReader, type ShownPage } from './page-pixels.ts'

export type PageComparison = 'same' | 'different' | 'incomparable'

export type ComparedFiles = {
  issued: Uint8Array
  received: Uint8Array
  /** Opens both, if encrypted. */
  password?: string
}

/**
 * Whether an independent reader shows the same pages of both files outside of the new signatures (R107). A file that it
 * cannot read is `incomparable`. It blocks until done, so it must run in a process with limits.
 */
export async function comparePages({ issued, received, password }: ComparedFiles): Promise<PageComparison> {
  try {
    const boxes = newSignatureBoxes(openAnyPdf(received, password), openAnyPdf(issued, password))
    const expected = shownBy(await readPixels(issued, password), boxes)
    const shown = shownBy(await readPixels(received, password), boxes, expected.length)
    const isSame = shown.length === expected.length && shown.every((page, index) => isAlike(page, expected[index]))
    return isSame ? 'same' : 'different'
  } catch {
    // Any error of a reader is caused by the file.
    return 'incomparable'
  }
}

/** A new signature may appear on a blank area; anywhere else it would change the content. */
function isAlike(received: ShownPage, issued: ShownPage | undefined) {
  if (received.outside !== issued?.outside) return false
  return issued.boxes.every((content, index) => content === 'blank' || content === received.boxes[index])
}

/** Reads each page; none if the number of pages differs. */
function shownBy(reader: PageReader, boxes: PageBoxes, pages = reader.pages): ShownPage[] {
  if (reader.pages !== pages) return []
  return Array.from({ length: pages }, (_, index) => reader.page(index, boxes.get(index) ?? []))
}
