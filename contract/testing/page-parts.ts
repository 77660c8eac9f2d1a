import type { PageConfig } from '../page-config.ts'
import type { PageData } from '../page-data.ts'
import { frameEnd, frameStart } from '../page-markers.ts'

/** The inverse of what page-markers.ts puts into pages. */

const elementOf = (id: string) => new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`)
const frame = new RegExp(`${frameStart}.*${frameEnd}`, 's')

type DataElements = { config: PageConfig; 'page-data': PageData }

/** The data of a page, as the browser reads them; undefined without their element. */
export function dataIn<Id extends keyof DataElements>(html: string, id: Id): DataElements[Id] | undefined {
  const json = elementOf(id).exec(html)?.[1]
  return json === undefined ? undefined : (JSON.parse(json) as DataElements[Id])
}

/** A rendered page as it was before: with the frame of `filled`, and without data. */
export const unrendered = (html: string, filled: string) =>
  html.replace(elementOf('page-data'), '').replace(frame, () => frame.exec(filled)![0])
