import type { PageConfig } from '../page-config.ts'
import type { PageData } from '../page-data.ts'

const elementOf = (id: string) => new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`)

type DataElements = { config: PageConfig; 'page-data': PageData }

/** Returns the data of a page as the browser reads them; undefined without their element. */
export function dataIn<Id extends keyof DataElements>(html: string, id: Id): DataElements[Id] | undefined {
  const json = elementOf(id).exec(html)?.[1]
  return json === undefined ? undefined : (JSON.parse(json) as DataElements[Id])
}
