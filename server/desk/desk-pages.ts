import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { deskPaths } from '../../contract/desk/desk-paths.ts'
import { pages } from '../../contract/pages.ts'
import { themeSheet } from '../platform/brand/theme.ts'
import { pagePolicy, reportsPath } from '../platform/http/security-headers.ts'
import { dataElement, pageConfigOf } from '../platform/pages/page-documents.ts'
import type { Portal } from '../platform/portal.ts'

const page = { config: { page: true } } as const
const yearInSeconds = 31_536_000

/** Serves the desk to browsers: one document at all its addresses, without personal data, and its own hashed files. */
export async function serveDeskPages(app: FastifyInstance, portal: Portal): Promise<void> {
  const { webDirectory, brand } = portal.settings
  const directory = join(webDirectory, '../desk')
  const document = join(directory, 'desk.html')
  if (!existsSync(document)) return app.log.warn('the web part is not built')

  const look = themeSheet(brand) ?? ''
  const { off, ...common } = pageConfigOf(portal, 'pl')
  // No page of the customers is at this origin, so no failure leads to the FAQ.
  const config = { ...common, off: [...off, pages.faq.path], baseURL: '' }
  const added = dataElement('config', config) + (look && `<style>${look}</style>`)
  const html = readFileSync(document, 'utf8').replace('</head>', () => `${added}\n</head>`)
  const policy = pagePolicy({
    styles: look ? [`sha256-${hash('sha256', look, 'base64')}`] : [],
    scripts: [],
    botCheckOrigin: undefined,
  })
  for (const path of deskPaths)
    app.get(path, page, (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policy)
        .header('reporting-endpoints', `csp="${reportsPath}"`)
        .send(html),
    )
  app.get('/', page, (_request, reply) => reply.redirect('/desk', 302))
  const hashed = join(directory, 'assets')
  const setHeaders = (reply: { header: (name: string, value: string) => unknown }) =>
    void reply.header('cache-control', `public, max-age=${yearInSeconds}, immutable`)
  await app.register(files, { root: hashed, serve: false, index: false, cacheControl: false, setHeaders })
  app.get<{ Params: { '*': string } }>(
    '/desk/assets/*',
    { config: { page: true, uncounted: true } },
    ({ params }, reply) => reply.sendFile(params['*']),
  )
}
