import type { FastifyInstance } from 'fastify'
import { printProviderApi } from '../../../contract/openapi.ts'
import { styleOnlyPolicy } from '../http/security-headers.ts'
import { escapeHtml } from '../messages/mail-template.ts'
import type { Portal } from '../portal.ts'
import { providerApi, type OpenApi } from './openapi.ts'

export const referencePath = '/api-reference'

/** Serves the provider API as a page without scripts (API-3). The page is made once, at the first request. */
export function serveReference(app: FastifyInstance, { settings }: Portal): void {
  let page: string | undefined
  app.get(referencePath, { config: { page: true } }, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', styleOnlyPolicy(style))
      .send((page ??= referencePage(providerApi(app.endpoints, settings) as PageDocument))),
  )
}

const style = `:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 30%,transparent)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:88rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1,h2,h3,h4{line-height:1.3}
h1{margin:0 0 .5rem;font-size:2rem}
h2{margin:3rem 0 .5rem;padding-top:1rem;border-top:2px solid var(--line);font-size:1.625rem}
h3{margin:2.5rem 0 .25rem;font-size:1.1875rem;scroll-margin-top:.5rem}
h4{margin:1rem 0 .25rem;font-size:1rem}
h3 a{color:inherit;text-decoration-color:var(--line)}
h3:target{padding-left:.5rem;border-left:.25rem solid}
p{margin:.5rem 0}
code,pre{font:.875rem/1.5 ui-monospace,monospace}
h3 code,h4 code{font-size:1em;font-weight:inherit}
pre{overflow-x:auto;margin:.5rem 0;padding:.75rem;border:1px solid var(--line);white-space:pre-wrap}
summary{padding:.375rem 0;cursor:pointer}
table{width:100%;border-collapse:collapse}
th,td{padding:.25rem .5rem;border:1px solid var(--line);text-align:left;vertical-align:top}
th{white-space:nowrap}
td p{margin:0}
nav ul{margin:0;padding:0;list-style:none}
nav>ul>li{display:flex;flex-wrap:wrap;justify-content:space-between;column-gap:1rem;border-bottom:1px solid var(--line)}
nav>ul>li>a{padding:.375rem 0}
nav details[open]{flex-basis:100%}
nav li li a{display:block;padding:.25rem 0 .25rem 2rem;text-indent:-1rem}
.skip:not(:focus),.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media(min-width:64rem){.page{display:grid;grid-template-columns:20rem minmax(0,1fr);gap:0 3rem;align-items:start}
nav{position:sticky;top:0;max-height:100vh;padding:1rem 0;overflow-y:auto}
main>h2:first-child{margin-top:0}}
@media(max-width:40rem){thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody,tr,td{display:block}
tr{padding:.5rem 0;border-top:1px solid var(--line)}
td{padding:0;border:0}
td:empty{display:none}
td::before{content:attr(data-name) ": "}
td p{display:inline}}`

/** Converts the little Markdown in the texts of the contract to HTML: paragraphs, and code between backticks. */
const prose = (text: string) =>
  text
    .split('\n\n')
    .map((part) => `<p>${escapeHtml(part).replace(/`([^`]*)`/g, '<code>$1</code>')}</p>`)
    .join('')

const code = (text: string) => `<code>${escapeHtml(text)}</code>`
/** Returns the HTML of a title as code. A long line breaks between the parts of a path. */
const titleCode = (title: string) => `<code>${escapeHtml(title).replaceAll('/', '<wbr>/')}</code>`
const sample = (value: unknown) => `<pre tabindex="0">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  `<table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell, i) => `<td data-name="${head[i]}">${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`
const details = (title: string, content: string) => `<details><summary>${title}</summary>${content}</details>`

/** The parts of a JSON Schema that the page shows. */
type Schema = {
  $ref?: string
  description?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  format?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
}

type Schemas = Record<string, Schema>

/** Replaces a reference by the schema that it names. Properties given next to the reference take precedence. */
const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref ? { ...schemas[schema.$ref.split('/').at(-1)!], ...schema } : schema

/** Describes the possible values of a field in one line. */
function kindOf(given: Schema, schemas: Schemas): string {
  const schema = resolved(given, schemas)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((choice) => kindOf(choice, schemas)).join(' or ')
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(', ')
  if (schema.items) return `list of ${kindOf(schema.items, schemas)}`
  const { type = 'any value', format, maxLength, minimum, maximum } = schema
  const limits = [
    format && format !== 'uri' ? format : undefined,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    minimum === undefined ? undefined : `from ${minimum}`,
    maximum === undefined ? undefined : `to ${maximum}`,
  ].filter(Boolean)
  return [[type].flat().join(' or '), ...limits].join(', ')
}

/** Lists every field of a schema by its path, such as `items[].id`. */
function fieldsOf(given: Schema, schemas: Schemas, at = ''): string[][] {
  const schema = resolved(given, schemas)
  const choices = (schema.anyOf ?? schema.oneOf ?? []).flatMap((choice) => fieldsOf(choice, schemas, at))
  const items = schema.items ? fieldsOf(schema.items, schemas, `${at}[]`) : []
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const path = at ? `${at}.${name}` : name
    const required = schema.required?.includes(name) ? 'yes' : 'no'
    const meaning = prose(resolved(part, schemas).description ?? '')
    return [[code(path), required, kindOf(part, schemas), meaning], ...fieldsOf(part, schemas, path)]
  })
  // Choices can share fields, such as the id of every event.
  return [...new Map([...own, ...items, ...choices].map((row) => [row.join(), row])).values()]
}

type Media = { schema: Schema; example?: unknown }
type Content = Record<string, Media>
type Response = { $ref?: string; description: string; content?: Content }
type Operation = {
  operationId: string
  summary: string
  description: string
  tags: readonly string[]
  parameters: readonly { name: string; in: string; required: boolean; description: string; schema: Schema }[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
}

const body = (title: string, content: Content, schemas: Schemas) =>
  Object.entries(content)
    .map(([type, { schema, example }]) => {
      const rows = fieldsOf(schema, schemas)
      return `<h4>${title}: ${code(type)}</h4>${example === undefined ? '' : sample(example)}${
        rows.length ? details(`Fields (${rows.length})`, table(['Field', 'Required', 'Value', 'Meaning'], rows)) : ''
      }`
    })
    .join('')

type SecurityScheme = { type: string; scheme?: string; description: string }

/** The parts of the document that the page shows. */
type PageDocument = Pick<OpenApi, 'info' | 'servers' | 'tags'> & {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: {
    responses: Record<string, Response>
    schemas: Schemas
    securitySchemes: Record<string, SecurityScheme>
  }
}

const idOf = (name: string) => name.toLowerCase().replaceAll(' ', '-')
const link = (id: string, content: string) => `<a href="#${id}">${content}</a>`

/** Describes how a call authenticates. The provider API has bearer tokens only (RFC 6750). */
function authentication(schemes: Record<string, SecurityScheme>): string {
  return Object.entries(schemes)
    .map(([name, { type, scheme, description }]) => {
      if (type !== 'http' || scheme !== 'bearer') throw new Error(`The page does not show ${type} ${scheme}.`)
      return `${prose(description)}<pre tabindex="0">Authorization: Bearer ${escapeHtml(`<${name}>`)}</pre>`
    })
    .join('')
}

function referencePage({ info, servers, tags, paths, webhooks, components }: PageDocument): string {
  const { schemas } = components
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, operation })),
  )
  const events = Object.entries(webhooks).map(([type, { post }]) => ({ title: type, operation: post }))
  const sections = [
    ...tags.map((tag) => ({ ...tag, entries: calls.filter(({ operation }) => operation.tags.includes(tag.name)) })),
    { name: 'Webhook events', description: 'What the portal sends to your webhooks.', entries: events },
  ]
  const answers = (responses: Record<string, Response>) =>
    Object.entries(responses).map(([status, response]) => {
      const name = response.$ref?.split('/').at(-1)
      return [code(status), prose((name ? components.responses[name]! : response).description)]
    })
  const entry = ({ title, operation }: (typeof calls)[number]) => {
    const { operationId, summary, description, parameters, requestBody, responses } = operation
    const given = parameters.map((each) => [
      code(each.name),
      each.in,
      each.required ? 'yes' : 'no',
      kindOf(each.schema, schemas),
      prose(each.description),
    ])
    const good = responses['200']
    return `<section aria-labelledby="${operationId}"><h3 id="${operationId}">${link(operationId, titleCode(title))}</h3>${prose(`${summary}.`)}${prose(description)}${
      given.length
        ? details(`Parameters (${given.length})`, table(['Name', 'In', 'Required', 'Value', 'Meaning'], given))
        : ''
    }${requestBody ? details('Request', body('Body', requestBody.content, schemas)) : ''}${
      good?.content ? details('Answer', body('Body of 200', good.content, schemas)) : ''
    }${details('Statuses', table(['Status', 'Meaning'], answers(responses)))}</section>`
  }
  // Every path begins with the same words, which the narrow list leaves out.
  const contents = sections.map(({ name, entries }) => {
    const links = entries.map(
      ({ title, operation }) => `<li>${link(operation.operationId, titleCode(title.replace('/provider/v1', '')))}</li>`,
    )
    return `<li>${link(idOf(name), escapeHtml(name))}<details><summary>${entries.length}<span class="unseen"> in ${escapeHtml(name)}</span></summary><ul>${links.join('')}</ul></details></li>`
  })
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(info.title)}</title><style>${style}</style>`
  const header = `<header><h1>${escapeHtml(info.title)}</h1>${prose(info.description)}<p>Version ${escapeHtml(info.version)}. Address: ${code(servers[0]!.url)}. The same as <a href="${printProviderApi.path}">OpenAPI 3.1</a>.</p></header>`
  const nav = `<nav aria-label="Contents"><ul><li>${link('authentication', 'Authentication')}</li>${contents.join('')}</ul></nav>`
  const main = `<main id="calls" tabindex="-1"><h2 id="authentication">Authentication</h2>${authentication(components.securitySchemes)}${sections
    .map(
      ({ name, description, entries }) =>
        `<h2 id="${idOf(name)}">${escapeHtml(name)}</h2>${prose(description)}${entries.map(entry).join('')}`,
    )
    .join('')}</main>`
  return `<!doctype html><html lang="en"><head>${head}</head><body><a class="skip" href="#calls">Skip the contents</a>${header}<div class="page">${nav}${main}</div></body></html>`
}
